package kubeletconfig

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":                       nil,
		" a  b\tc\n":             {"a", "b", "c"},
		`a"b c"d 'e f' ""`:       {"ab cd", "e f", ""},
		`a\ b "\"\x\\" '\'`:      {"a b", `"\x\`, `\`},
		`--a=$HOME --b="$(ls)"`:  {"--a=$HOME", "--b=$(ls)"},
		"Zürich --größe='1 Mi' ": {"Zürich", "--größe=1 Mi"},
	} {
		got, err := words(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q %v, want %q", line, got, err, want)
		}
	}
	for line, want := range map[string]string{`a "b`: "a quote is not closed", `a\`: "a backslash is the last character"} {
		if _, err := words(line); err == nil || err.Error() != want {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestFlags(t *testing.T) {
	f, err := ParseFlags(`/usr/bin/kubelet --config=/etc/k.yaml --config-dir /etc/k.d --root-dir=/data --v=2 -v 4 --container-runtime-endpoint unix:///x`)
	if err != nil {
		t.Fatal(err)
	}
	if f.Config != "/etc/k.yaml" || f.ConfigDir != "/etc/k.d" || f.RootDir != "/data" {
		t.Errorf("%+v", f)
	}
	want := "/usr/bin/kubelet --v=2 -v 4 --container-runtime-endpoint unix:///x"
	if got := strings.Join(f.Ignored, " "); got != want {
		t.Errorf("ignored %s, want %s", got, want)
	}
	if _, err := ParseFlags(strings.Repeat(" ", maxLine+1)); err == nil {
		t.Error("an endless line is taken")
	}
	for flag, want := range map[string]string{
		"--feature-gates=A":                             "missing bool value for A",
		"--feature-gates=A=maybe":                       `invalid value of A=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax`,
		"--system-reserved=cpu":                         "malformed pair, expect string=string",
		"--eviction-hard=a=b":                           "malformed pair, expect string<string",
		"--reserved-memory=a:b=c":                       "failed to convert the NUMA node ID, expected integer, got a",
		"--reserved-memory=0:b=c":                       `memory type conversion error, unknown type: "b"`,
		"--reserved-memory=0:b=c=d":                     "the reserved limit has incorrect value, expected type=quantity, got b=c=d",
		"--experimental-allocatable-ignore-eviction=no": `strconv.ParseBool: parsing "no": invalid syntax`,
	} {
		f, err := ParseFlags(flag)
		if err != nil || !strings.HasSuffix(f.Broken, "flag: "+want) {
			t.Errorf("%s: %v %q, want %q", flag, err, f.Broken, want)
		}
	}
	for set, want := range map[string]string{
		"=1":               "the field has no name",
		"reservedMemory=[": `"[" is not JSON`,
		"featureGates.A=x": `"x" is neither true nor false`,
		"kube-reserved=x":  "malformed pair, expect string=string",
	} {
		key, value, _ := strings.Cut(set, "=")
		if err := f.Set(key, value); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", set, err, want)
		}
	}
}

// FuzzMerge: whatever is given, the answer is one document of JSON within
// bounds, or a sentence.
func FuzzMerge(f *testing.F) {
	f.Add("cpuManagerPolicy: static", kind+"a: {b: null}", "--reserved-memory 0:memory=1Gi --x")
	f.Add("a: &a [1]\nb: [*a, *a]", "", "--feature-gates=A=true '")
	f.Add("{\"a\":1,\"a\":2}", "{}", "--eviction-hard memory.available<5%")
	f.Fuzz(func(t *testing.T, main, dropIn, line string) {
		flags, err := ParseFlags(line)
		if err != nil {
			return
		}
		m := Merge(&File{"c", []byte(main)}, []File{{"d", []byte(dropIn)}}, flags)
		if strings.Contains(m.Broken, "\n") && !strings.Contains(line, "\n") {
			t.Errorf("several lines: %q", m.Broken)
		}
		if len(m.JSON) > 2*MaxExpanded+len(main) {
			t.Errorf("%d bytes", len(m.JSON))
		}
		if _, ok := fieldsOf(m.JSON); !ok && m.Broken == "" {
			// Left alone for the judge: it must be what came in.
			if converted, err := toJSON([]byte(main)); err != nil || string(converted) != string(m.JSON) {
				t.Errorf("%q became %q", main, m.JSON)
			}
		}
	})
}
