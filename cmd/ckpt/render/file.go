package render

import "github.com/kubeckpt/ckpt/checkpoint/kubelet"

// File is one file that was judged, or that could not be.
type File struct {
	// Name is the path as the user knows it; "-" is standard input.
	Name string
	// Verdict of its bytes. Where there are none, only State (missing or
	// unreadable) and perhaps Kind are set.
	Verdict kubelet.Verdict
	// Failure says why there are no bytes to judge; nil if there were.
	Failure *Failure
	// Explanations of a broken file, the best first.
	Explanations []kubelet.Explanation
	// Excerpt is the place of the best explanation; nil: it has none, or none
	// that may be shown.
	Excerpt *Excerpt
}

// Excerpt is a piece of a file.
type Excerpt struct {
	Before, At, After string
	Begins, Ends      bool // the piece is at the beginning, or end, of the file
}

// Failure is why a file could not be judged.
type Failure struct {
	Reason  string `json:"reason"`  // one stable word: "permission", "is-directory", "too-large"
	Message string `json:"message"` // a sentence for people, lower case, no full stop
}

// Options are how to write, not what. The zero Options is 80 columns without
// colour and without secrets.
type Options struct {
	// Width in columns; 0 means 80, and less than 40 counts as 40.
	Width int
	// WholeNames keeps the table from cutting file names, and from leaving out
	// their directory, for output that a program searches.
	WholeNames bool
	// Color allows ANSI colours.
	Color bool
	// ShowSecrets prints values that look like passwords, tokens or keys.
	ShowSecrets bool
	// Content adds what the file says to JSON objects.
	Content bool
}

func (o Options) width() int {
	if o.Width <= 0 {
		return 80
	}
	return max(o.Width, 40)
}

// title is what a sentence calls the file.
func (f File) title() text {
	if f.Name == "-" {
		return "standard input"
	}
	return clean(base(f.Name))
}

// bad reports whether the file has a finding of severity error.
func (f File) bad() bool { return f.count(kubelet.SeverityError) > 0 }

// undecided reports whether there was nothing to judge.
func (f File) undecided() bool {
	return f.Failure != nil || f.Verdict.State == kubelet.StateMissing || f.Verdict.State == kubelet.StateUnreadable
}

// has reports whether there is a finding with this code.
func (f File) has(code string) bool {
	for _, finding := range f.Verdict.Findings {
		if finding.Code == code {
			return true
		}
	}
	return false
}

func (f File) count(s kubelet.Severity) (n int) {
	for _, finding := range f.Verdict.Findings {
		if finding.Severity == s {
			n++
		}
	}
	return n
}

// base returns what follows the last slash or backslash of a path.
func base(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if (path[i] == '/' || path[i] == '\\') && i < len(path)-1 {
			return path[i+1:]
		}
	}
	return path
}
