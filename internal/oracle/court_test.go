package oracle

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// The test binary plays an oracle when it is started as one.
func TestMain(m *testing.M) {
	if os.Getenv("ORACLE_TEST_PLAY") == "" {
		os.Exit(m.Run())
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var q Request
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			fmt.Println(`{"error":"oracle: ` + err.Error() + `"}`)
			continue
		}
		if q.B64 != nil && string(*q.B64) == "deadly" {
			os.Exit(3)
		}
		a := map[string]any{"version": "1.37.2", "accepted": q.Op == "restore", "error": ""}
		if q.B64 != nil {
			a["state"] = map[string]string{"file": string(*q.B64), "gates": q.Gates, "name": q.Name}
		}
		b, err := json.Marshal(a)
		if err != nil {
			os.Exit(4)
		}
		fmt.Println(string(b))
	}
	os.Exit(0)
}

// play puts oracles of the releases into a directory.
func play(t *testing.T, releases ...string) (dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, r := range releases {
		if err := os.Symlink(self, filepath.Join(dir, "oracle-"+r)); err != nil {
			t.Skip(err) // no links on this system
		}
	}
	t.Setenv("ORACLE_TEST_PLAY", "1")
	return dir
}

func TestCourt(t *testing.T) {
	c, err := Open(play(t, "1.32", "1.37"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if v := c.Program("1.37").Version; v != "1.37.2" {
		t.Errorf("version %q", v)
	}
	answers, deaths, err := c.Restore([]Case{
		{Kind: "cpu", Blob: []byte("a")},
		{Kind: "allocated", Blob: []byte("deadly")},
		{Kind: "allocated", Blob: nil},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(deaths) != 2 || !errors.Is(deaths[0], ErrDied) {
		t.Errorf("deaths %v, want one of each release", deaths)
	}
	got := make([]map[string]string, len(answers))
	for i := range answers {
		got[i] = map[string]string{}
		for label, a := range answers[i] {
			got[i][label] = string(a.State)
		}
	}
	state := func(file, gates, name string) string {
		return fmt.Sprintf(`{"file":%q,"gates":%q,"name":%q}`, file, gates, name)
	}
	want := []map[string]string{
		{
			"1.32":     state("a", "", ""),
			"1.37":     state("a", "", ""),
			"1.37[P]":  state("a", gateP, ""),
			"1.37[X]":  state("a", gateX, ""),
			"1.37[PX]": state("a", gateP+","+gateX, ""),
		},
		{},
		{"1.32": state("", "", "pod_status_manager_state"), "1.37": state("", "", "")},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("answers %q\nwant    %q", got, want)
	}
	if labels := c.Labels("memory"); !reflect.DeepEqual(labels, []string{"1.32", "1.37", "1.37[P]"}) {
		t.Errorf("labels %q", labels)
	}
}

func TestOpenNothing(t *testing.T) {
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("an empty directory has no oracles")
	}
}

func TestRows(t *testing.T) {
	rows := []Row{
		{Name: "text", Base: "cpu/1.37.2/x.json", Kind: "cpu", Policy: "static", Kubelets: map[string]RowAnswer{"1.37[PX]": {Accepted: true, SameState: true}}},
		{Name: "bytes", Kind: "dra", Kubelets: map[string]RowAnswer{"1.29": {Error: "checkpoint is corrupted"}, "1.30": {Panic: true}}},
		{Name: "empty", Kind: "device", Kubelets: map[string]RowAnswer{}},
	}
	blobs := []string{"{\"a\":\"<é\u2028>\"}", "\xff\x00", ""}
	for i := range rows {
		rows[i].SetBlob([]byte(blobs[i]))
	}
	path := filepath.Join(t.TempDir(), "rows.jsonl.gz")
	if err := WriteRows(path, rows); err != nil {
		t.Fatal(err)
	}
	got, err := ReadRows(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(rows) {
		t.Fatalf("%d rows, want %d", len(got), len(rows))
	}
	for i := range got {
		if string(got[i].Blob()) != blobs[i] {
			t.Errorf("%s: bytes %q, want %q", rows[i].Name, got[i].Blob(), blobs[i])
		}
		got[i].SetBlob(nil)
		rows[i].SetBlob(nil)
		if !reflect.DeepEqual(got[i], rows[i]) {
			t.Errorf("%+v, want %+v", got[i], rows[i])
		}
	}
}
