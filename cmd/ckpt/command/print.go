package command

import (
	"io"

	"github.com/kubeckpt/ckpt/cmd/ckpt/render"
)

// printer writes one file after the other; Close writes what is left to say.
type printer interface {
	File(render.File) error
	Close() error
}

// lines writes each file as soon as it is judged.
type lines struct {
	w      io.Writer
	format render.Format
	show   render.Options
}

func (p *lines) File(f render.File) error {
	return render.Verify(p.w, p.format, []render.File{f}, p.show)
}

func (p *lines) Close() error { return nil }

// whole writes forms that need to know all files.
type whole struct {
	lines
	files []render.File
}

func (p *whole) File(f render.File) error {
	if !p.show.Content {
		f.Verdict.Content = nil
	}
	p.files = append(p.files, f)
	return nil
}

func (p *whole) Close() error { return render.Verify(p.w, p.format, p.files, p.show) }

func newPrinter(w io.Writer, format render.Format, show render.Options) printer {
	l := lines{w, format, show}
	if format == render.JSONL {
		return &l
	}
	return &whole{lines: l}
}
