package render

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/migrate"
)

// TestMigrateDocument keeps the tables of the document as the formats have them.
func TestMigrateDocument(t *testing.T) {
	file := filepath.Join("..", "..", "..", "docs", "migrate.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, _, ok := strings.Cut(string(text), " -->\n")
	if !ok {
		t.Fatal("no comment before the tables")
	}
	var b bytes.Buffer
	if err := MigrationsMarkdown(&b, kubelet.Migrations()); err != nil {
		t.Fatal(err)
	}
	compareFile(t, file, head+" -->\n"+strings.ReplaceAll("\n"+b.String(), "\n## ", "\n### "))
}

// TestMigrations writes every sort of line that there is.
func TestMigrations(t *testing.T) {
	var losses []migrate.Loss
	for range most + 3 {
		losses = append(losses, migrate.Loss{Path: "podEntries", Reason: "only kubelet 1.36 and later keep it"})
	}
	fault := []kubelet.Finding{{Code: "machine-state", Severity: kubelet.SeverityError, Path: "machineState.0", Message: "it does not add up"}}
	m := Migrations{DryRun: true, Files: []Migrated{
		{File: "a", Out: "a", From: "cpu/v4", To: "cpu/v2", Release: "1.35", Losses: losses, Findings: fault, Then: fault,
			Differences: []kubelet.Change{{Path: "podEntries", Old: "{\"p\":\"2-7\"}"}, {Path: `x["TOKEN"]`, Old: "", New: "s3cret"}}},
		{File: "b", Out: "b", To: "cpu/v2", From: "cpu/v2", Release: "1.37", Gates: []string{"A", "B"}, Same: true},
		{File: "c", Out: "d", To: "dra/v3", From: "dra/v2", Release: "1.37", Written: true, Backup: "c.ckpt-backup-1", Gaps: losses[:1]},
		{File: "e", Out: "e", To: "dra/v3", From: "dra/v3", Release: "1.37", Written: true, Restored: true, Backup: "e.ckpt-backup-1", Error: "no space left on device"},
		{File: "f\x1b", Unused: "kubelet 1.13 has no such file"},
		{File: "g", Error: "the file is corrupt"},
		{File: "i", Unused: "kubelet 1.13 has no such file", Losses: losses[:1]},
		{File: "j", Out: "k", To: "allocated/v2", From: "allocated/v3", Release: "1.32", Info: "k is made", Written: true},
		{File: "j", Out: "k", To: "allocated/v2", From: "allocated/v3", Release: "1.32", Info: "k is made", Written: true, Restored: true},
		{File: "-", Out: "-", To: "dra/v3", From: "dra/v1", Release: "1.37", Written: true},
		{File: "h", Out: "-", To: "dra/v3", From: "dra/v1", Release: "1.37", Written: true},
	}}
	var text, object bytes.Buffer
	if err := WriteMigrations(&text, m, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := WriteMigrationsJSON(&object, m, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{text.String(), object.String()} {
		if strings.Contains(out, "s3cret") || strings.Contains(out, "\x1b") {
			t.Errorf("a secret, or a control character: %s", out)
		}
	}
	compareFile(t, filepath.Join("testdata", "migrations.txt"), text.String())
}
