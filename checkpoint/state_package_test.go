package checkpoint_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint"
	"github.com/kubeckpt/ckpt/checksum"
	"github.com/kubeckpt/ckpt/migrate"
)

// A driver whose files the kubelet's own package wrote; see testdata/driver. Its
// types have been renamed and moved since.

type driverFile struct {
	Checksum checksum.Checksum `json:"checksum"`
	V1       *driverV1         `json:"v1,omitempty"`
}

type driverV1 struct {
	Claims map[string][]driverDevice `json:"claims,omitempty"`
}

type driverDevice struct {
	Pool string `json:"pool"`
	Name string `json:"name"`
}

type driverV2 struct {
	Prepared map[string][]driverDevice `json:"prepared"`
}

func driverVersions() checkpoint.Option {
	return checkpoint.WithVersions(
		migrate.First[driverV1]("v1").Named(checksum.Merge(
			checksum.Name[driverV1]("main.ClaimsV1"), checksum.Name[driverDevice]("main.Device"))),
		migrate.Next("v2",
			func(d *driverV1) (*driverV2, []migrate.Loss, error) { return &driverV2{d.Claims}, nil, nil },
			func(d *driverV2) (*driverV1, []migrate.Loss, error) { return &driverV1{d.Prepared}, nil, nil }),
	)
}

// The files of the kubelet's package are read, and the form beside the envelope is
// to the byte what the package wrote.
func TestFilesOfTheKubeletsPackage(t *testing.T) {
	form := checkpoint.Legacy[driverFile, driverV1]{
		Version: "v1",
		Names:   checksum.Name[driverFile]("main.Checkpoint"),
		Sum:     func(f *driverFile) *checksum.Checksum { return &f.Checksum },
		Read:    func(f *driverFile) (*driverV1, []migrate.Loss, error) { return f.V1, nil, nil },
		Write:   func(d *driverV1) (*driverFile, []migrate.Loss, error) { return &driverFile{V1: d}, nil, nil },
	}
	ofJSON := form
	ofJSON.Of = checkpoint.SumOfJSON[driverFile]
	for file, form := range map[string]checkpoint.Legacy[driverFile, driverV1]{"dumped.json": form, "json.json": ofJSON} {
		written, err := os.ReadFile("testdata/driver/" + file)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		writeFile(t, dir, written)
		s := openState[driverV2](t, dir, driverVersions(), checkpoint.WithDualWrite(1), checkpoint.WithLegacy(form))
		got, info := load(t, s)
		if len(got.Prepared["b"]) != 2 || got.Prepared["b"][1].Name != "<gpu>-2" || !info.Legacy || info.Version != "v1" {
			t.Errorf("%s: %+v, %+v", file, got, info)
		}
		if err := s.Update(background, func(*driverV2) error { return nil }); err != nil {
			t.Fatal(err)
		}
		want := string(bytes.TrimSuffix(written, []byte("}"))) + `,"ckpt":{`
		if blob := readFile(t, dir); !bytes.HasPrefix(blob, []byte(want)) {
			t.Errorf("%s: the package wrote\n%s\nwe write\n%s", file, written, blob)
		}
		if got, info := load(t, s); info.Legacy || info.Version != "v2" || len(got.Prepared) != 2 {
			t.Errorf("%s: %+v, %+v", file, got, info)
		}
		// Under any other name the sum is another: that is what Names are for.
		if file == "dumped.json" {
			form.Names = nil
			writeFile(t, dir, written)
			_, _, err = openState[driverV2](t, dir, driverVersions(), checkpoint.WithLegacy(form)).Load(background)
			wantReason(t, err, checkpoint.ReasonSum)
		}
	}
}
