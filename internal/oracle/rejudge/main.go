// Command rejudge makes the genuine files of testdata/kubelets anew with the
// real kubelets (the programs of testdata/oracle), asks them again about every
// file of testdata, and says where the answers are not those on record:
//
//	go run ./internal/oracle/rejudge -oracles DIR
//
// No difference is expected. With -update the verdicts of testdata/mutations
// and testdata/reports are written as they are now; files that kubelets wrote
// are never changed. The exit code is 1 if anything differs. CI does not run
// this command; it needs the programs.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kubeckpt/ckpt/internal/oracle"
)

func main() {
	oracles := flag.String("oracles", "", "`directory` of the programs oracle-1.13 … oracle-1.37")
	dir := flag.String("testdata", "testdata", "this project's testdata `directory`")
	update := flag.Bool("update", false, "write the verdicts as they are now")
	releases := flag.String("releases", "", "ask only these, comma-separated")
	flag.Parse()
	j := judge{dir: *dir, update: *update}
	if err := j.run(*oracles, *releases); err != nil {
		fmt.Fprintln(os.Stderr, "rejudge:", err)
		os.Exit(2)
	}
	fmt.Printf("%d files written, %d answers compared, %d differences\n", j.written, j.answers, j.differences)
	if j.differences > 0 {
		os.Exit(1)
	}
}

// judge is one run over testdata.
type judge struct {
	dir    string
	update bool
	court  *oracle.Court

	written, answers, differences int
}

func (j *judge) run(oracles, releases string) (err error) {
	var only []string
	if releases != "" {
		only = strings.Split(releases, ",")
	}
	if j.court, err = oracle.Open(oracles, only...); err != nil {
		return err
	}
	defer j.court.Close()
	goldens, err := oracle.ReadGoldens(filepath.Join(j.dir, "kubelets"))
	if err != nil {
		return err
	}
	if err := j.rewrite(goldens); err != nil {
		return err
	}
	if err := j.matrix(goldens); err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(j.dir, "mutations", "*.jsonl.gz"))
	if err != nil {
		return err
	}
	for _, path := range append(paths, filepath.Join(j.dir, "reports", "verdicts.jsonl.gz")) {
		if err := j.rows(path, goldens); err != nil {
			return err
		}
	}
	return nil
}

// differ prints one difference.
func (j *judge) differ(file, label, what, recorded, now string) {
	j.differences++
	fmt.Printf("%s %s: %s\n  on record %s\n  now       %s\n", file, label, what, recorded, now)
}
