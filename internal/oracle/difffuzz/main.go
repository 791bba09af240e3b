// Command difffuzz changes checkpoint files at random, asks the real kubelets
// about each (the programs of testdata/oracle) and holds package kubelet's
// answers against theirs.
//
//	go run ./internal/oracle/difffuzz -oracles DIR -time 1h -seed 7
//
// Compared are, for every release and gate setting: accepted or refused, the
// exact error text, a panic, the restored state, and whether part of the file
// is lost. Where a kubelet's own answer is random (it names one of several
// offenders by map order), the sentence is compared without the names.
//
// One seed gives one sequence of files, as long as the answers are the same:
// a file that some kubelet treats in a way not seen before joins the pool that
// further files are made of. The exit code is 1 if anything disagrees; each
// class of disagreements is made small and printed once, and with -rows added
// to a file of testdata/mutations, so that the ordinary tests hold it for
// good. CI does not run this command; it needs the programs.
package main

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/oracle"
)

func main() {
	var s session
	flag.StringVar(&s.oracles, "oracles", "", "`directory` of the programs oracle-1.13 … oracle-1.37")
	flag.StringVar(&s.testdata, "testdata", "testdata", "this project's testdata `directory`")
	flag.DurationVar(&s.time, "time", time.Minute, "how long to run")
	flag.Uint64Var(&s.seed, "seed", 1, "of the random source")
	flag.IntVar(&s.batch, "batch", 200, "files between two looks at the clock")
	flag.StringVar(&s.report.text, "text", "", "`file` to append findings to, as text")
	flag.StringVar(&s.report.rows, "rows", "", "`file` of testdata/mutations to add findings to")
	releases := flag.String("releases", "", "ask only these, comma-separated")
	kinds := flag.String("kinds", "", "only files of these kinds, comma-separated")
	flag.Parse()
	s.releases = split(*releases)
	s.kinds = split(*kinds)
	agreed, err := s.run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "difffuzz:", err)
		os.Exit(2)
	}
	if !agreed {
		os.Exit(1)
	}
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// session is one run.
type session struct {
	oracles, testdata string
	releases, kinds   []string
	time              time.Duration
	seed              uint64
	batch             int
	report            reporter

	files, answers, accepted, skipped int
	classes                           map[string]int // disagreements of each class
}

func (s *session) run() (agreed bool, err error) {
	c, err := oracle.Open(s.oracles, s.releases...)
	if err != nil {
		return false, err
	}
	defer c.Close()
	if s.report.rows != "" && len(c.Releases) != len(oracle.Known()) {
		return false, fmt.Errorf("a row needs the answers of %s", strings.Join(oracle.Known(), ", "))
	}
	m := &mutator{r: rand.New(rand.NewPCG(s.seed, 0))}
	if m.pool, err = seeds(s.testdata); err != nil {
		return false, err
	}
	if len(s.kinds) > 0 {
		m.pool = slices.DeleteFunc(m.pool, func(f file) bool { return !releaseIn(f.Kind, s.kinds...) })
	}
	m.given = len(m.pool)
	fmt.Printf("%d files to begin with, releases %s\n", len(m.pool), strings.Join(c.Releases, " "))
	s.classes = map[string]int{}
	known := map[string]bool{}
	begin := time.Now()
	shown := begin
	for time.Since(begin) < s.time {
		batch := make([]file, 0, s.batch)
		for len(batch) < s.batch {
			if f := m.next(); tooWide(f.Blob) {
				s.skipped++
			} else {
				batch = append(batch, f)
			}
		}
		verdicts := make(chan []kubelet.Verdict, 1)
		go func() { verdicts <- judgeAll(batch) }()
		answers, deaths, err := c.Restore(cases(batch))
		if err != nil {
			return false, err
		}
		for _, d := range deaths {
			s.classes["death "+d.Error()]++
			fmt.Println("DEATH:", d)
		}
		for i, v := range <-verdicts {
			f := &batch[i]
			s.files++
			s.answers += len(answers[i])
			for _, a := range answers[i] {
				if a.Accepted {
					s.accepted++
				}
			}
			for _, d := range compare(f, &v, answers[i]) {
				if err := s.disagree(c, *f, d); err != nil {
					return false, err
				}
			}
			if sig := signature(f, answers[i], c.Labels(f.Kind)); !known[sig] && len(f.Blob) < maxSize/4 {
				known[sig] = true
				m.pool = append(m.pool, *f)
			}
		}
		if time.Since(shown) > 30*time.Second {
			shown = time.Now()
			s.progress(begin, len(known))
		}
	}
	s.progress(begin, len(known))
	for _, class := range slices.Sorted(maps.Keys(s.classes)) {
		fmt.Printf("%6d × %s\n", s.classes[class], class)
	}
	return len(s.classes) == 0, nil
}

func judgeAll(batch []file) []kubelet.Verdict {
	out := make([]kubelet.Verdict, len(batch))
	var wg sync.WaitGroup
	parts := runtime.GOMAXPROCS(0)
	for p := range parts {
		wg.Go(func() {
			for i := p; i < len(batch); i += parts {
				out[i] = kubelet.Judge(batch[i].Blob, batch[i].options())
			}
		})
	}
	wg.Wait()
	return out
}

// disagree counts a finding, and works on the first of its class.
func (s *session) disagree(c *oracle.Court, f file, d disagreement) error {
	class := d.class(f.Kind)
	s.classes[class]++
	if s.classes[class] > 1 {
		return nil
	}
	small, shown := minimise(c, f, d.label, class)
	if shown.label == "" {
		small, shown = f, d // it did not come again: the kubelet's answer is random
	}
	fmt.Printf("DISAGREE %s %s\n  file   %q\n  policy %q\n  ours   %s\n  theirs %s\n", d.label, class, small.Blob, small.Policy, shown.ours, shown.theirs)
	return s.report.add(c, s.testdata, small, shown)
}

func (s *session) progress(begin time.Time, ways int) {
	fmt.Printf("%s: %d files, %d answers compared (%d%% accepted), %d files skipped, %d ways to treat a file, %d classes of disagreements\n",
		time.Since(begin).Round(time.Second), s.files, s.answers, 100*s.accepted/max(s.answers, 1), s.skipped, ways, len(s.classes))
}
