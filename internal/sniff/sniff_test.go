package sniff

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

// archive writes a tar file with the given names, each of size bytes.
func archive(t testing.TB, size int, names ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, name := range names {
		h := &tar.Header{Name: name, Mode: 0o600, Size: int64(size)}
		if strings.HasSuffix(name, "/") {
			h.Typeflag, h.Size = tar.TypeDir, 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, h.Size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func zipped(t testing.TB, b []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestGuess(t *testing.T) {
	criO := archive(t, 700, "io.kubernetes.cri-o.LogPath", "bind.mounts", "checkpoint/", "checkpoint/pages-1.img", "config.dump")
	tests := []struct {
		name string
		in   []byte
		want Kind
	}{
		{"empty", nil, Empty},
		{"one NUL", []byte{0}, NULs},
		{"a block of NULs", make([]byte, 4096), NULs},
		{"NULs, then a file", append(make([]byte, 512), `{"policyName":"none"}`...), LeadingNULs},
		{"a checkpoint", []byte(`{"policyName":"none","defaultCpuSet":"","checksum":1353318690}`), JSON},
		{"space before it", []byte("\n\t {}"), JSON},
		{"a checkpoint, then NULs", append([]byte(`{"a":1}`), make([]byte, 100)...), JSON},
		{"an array", []byte("[1]"), JSON},
		{"gzip", zipped(t, []byte("{}")), Gzip},
		{"a gzipped tar", zipped(t, archive(t, 1, "config.dump")), Gzip},
		{"xz", []byte("\xfd7zXZ\x00\x00\x04"), XZ},
		{"zstd", []byte("\x28\xb5\x2f\xfd\x24"), Zstd},
		{"bzip2", []byte("BZh91AY&SY"), Bzip2},
		{"zip", []byte("PK\x03\x04\x14\x00"), Zip},
		{"tar", archive(t, 10, "var/lib/kubelet/cpu_manager_state"), Tar},
		{"tar with a name that ends as one of a container's", archive(t, 10, "old/config.dump"), Tar},
		{"archive of CRI-O", criO, ContainerCheckpoint},
		{"archive of CRI-O, only its start", criO[:4*1024], ContainerCheckpoint},
		{"archive of CRI-O, cut before what tells", criO[:1000], Tar},
		{"archive with dots", archive(t, 10, "./", "./spec.dump"), ContainerCheckpoint},
		{"archive of several pods", archive(t, 10, "checkpointed.pods"), ContainerCheckpoint},
		{"elf", []byte("\x7fELF\x02\x01\x01"), ELF},
		{"UTF-16 as PowerShell redirects", []byte("\xff\xfe{\x00}\x00"), UTF16},
		{"UTF-16 big endian", []byte("\xfe\xff\x00{\x00}"), UTF16},
		{"UTF-16 without a mark", []byte("{\x00\"\x00a\x00"), UTF16},
		{"UTF-16 big endian without a mark", []byte("\x00{\x00\""), UTF16},
		{"UTF-8 with a mark", []byte("\xef\xbb\xbf{}"), BOM},
		{"pem", []byte("-----BEGIN CERTIFICATE-----\nMIIB\n"), PEM},
		{"html", []byte("<!DOCTYPE html>\n<title>502 Bad Gateway</title>"), HTML},
		{"html without a doctype", []byte("  <HTML><body>"), HTML},
		{"xhtml", []byte(`<?xml version="1.0"?><html xmlns="x">`), HTML},
		{"xml", []byte(`<?xml version="1.0"?><a/>`), XML},
		{"less than", []byte("< 5"), Text},
		{"kubelet config", []byte("apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"), YAML},
		{"yaml after a comment", []byte("# x\n\n---\nfoo"), YAML},
		{"yaml list", []byte("- name: a\n"), YAML},
		{"a url is no key", []byte("https://example.com"), Text},
		{"a log line", []byte("E0102 15:04:05.000000   1 state_mem.go:36] failed\n"), Text},
		{"a shell error", []byte("cat: cpu_manager_state: No such file or directory\n"), Text},
		{"text in another script", []byte("状態"), Text},
		{"a number", []byte("42"), Text},
		{"only space", []byte(" \n"), Text},
		{"bytes", []byte("\x01\x02\x03"), Binary},
		{"broken UTF-8", []byte("abc\xff\xff def"), Binary},
		{"a character cut at the end", []byte("abc \xe7\x8a"), Text},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Guess(tt.in); got != tt.want {
				t.Errorf("Guess(%.40q) = %s, want %s", tt.in, string(got), string(tt.want))
			}
		})
	}
}

// Every kind that Guess can give has a sentence of its own.
func TestSentences(t *testing.T) {
	kinds := []Kind{Empty, NULs, LeadingNULs, JSON, ContainerCheckpoint, Tar, Gzip, XZ, Zstd, Bzip2, Zip, ELF,
		UTF16, BOM, PEM, HTML, XML, YAML, Text, Binary}
	seen := map[string]Kind{}
	for _, k := range append(kinds, "no such kind") {
		s := k.String()
		if other, ok := seen[s]; ok {
			t.Errorf("%s and %s are both said as %q", string(k), string(other), s)
		}
		seen[s] = k
	}
}

func FuzzGuess(f *testing.F) {
	f.Add([]byte(""))
	f.Add([]byte(`{"a":1}`))
	f.Add([]byte("key: value"))
	f.Add([]byte("<html"))
	f.Add([]byte("\x00{\x00"))
	f.Add(archive(f, 600, "a", "checkpoint/", "config.dump"))
	f.Add(archive(f, 0, strings.Repeat("x", 99)))
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		k := Guess(b)
		if k.String() == Kind("").String() {
			t.Errorf("Guess gave %q, which has no sentence", string(k))
		}
		if !bytes.Equal(b, before) {
			t.Error("Guess changed its input")
		}
		if (k == Empty) != (len(b) == 0) {
			t.Errorf("Guess of %d bytes is %s", len(b), string(k))
		}
		if (k == NULs) != (len(b) > 0 && len(bytes.Trim(b, "\x00")) == 0) {
			t.Errorf("Guess of %.40q is %s", b, string(k))
		}
	})
}
