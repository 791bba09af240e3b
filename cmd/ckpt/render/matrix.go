package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

// matrix is one kind's compatibility as cells of text.
type matrix struct {
	kind  kubelet.Kind
	head  []string
	rows  [][]string
	notes []string // what the marks in the cells stand for
}

// Matrix writes who reads what which other kubelet wrote, for a terminal.
func Matrix(w io.Writer, all []kubelet.Compatibility) error {
	var b strings.Builder
	b.WriteString("Read down: the kubelet that wrote the file. Read across: the kubelet that reads it.\n" +
		"P: with PodLevelResourceManagers, X: with InPlacePodVerticalScalingExclusiveCPUs.\n")
	for _, c := range all {
		m := newMatrix(c, "reads it, but forgets ")
		fmt.Fprintf(&b, "\n%s\n", m.title())
		widths := make([]int, len(m.head))
		for _, row := range append([][]string{m.head}, m.rows...) {
			for i, cell := range row {
				widths[i] = max(widths[i], len([]rune(cell)))
			}
		}
		for _, row := range append([][]string{m.head}, m.rows...) {
			line := " "
			for i, cell := range row {
				line += " " + cell + strings.Repeat(" ", widths[i]-len([]rune(cell))+1)
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		for _, note := range m.notes {
			b.WriteString("    " + note + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// MatrixMarkdown writes the same as a document.
func MatrixMarkdown(w io.Writer, all []kubelet.Compatibility) error {
	return matrixMarkdown(w, all, "reads it, but forgets ")
}

// MigrationsMarkdown writes what a migration loses as a document.
func MigrationsMarkdown(w io.Writer, all []kubelet.Compatibility) error {
	return matrixMarkdown(w, all, "loses ")
}

func matrixMarkdown(w io.Writer, all []kubelet.Compatibility, loses string) error {
	var b strings.Builder
	for _, c := range all {
		m := newMatrix(c, loses)
		fmt.Fprintf(&b, "## %s\n\n| %s |\n|%s\n", m.title(), strings.Join(m.head, " | "), strings.Repeat("---|", len(m.head)))
		for _, row := range m.rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		}
		b.WriteString("\n")
		for _, note := range m.notes {
			mark, text, _ := strings.Cut(note, ": ")
			fmt.Fprintf(&b, "- **%s**: %s\n", mark, text)
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

func (m *matrix) title() string {
	var names []string
	for _, f := range kubelet.Files() {
		if f.Kind == m.kind {
			names = append(names, f.Name)
		}
	}
	return string(m.kind) + ": " + strings.Join(names, ", ")
}

func newMatrix(c kubelet.Compatibility, loses string) *matrix {
	m := &matrix{kind: c.Kind, head: []string{"written by", "format"}}
	columns := mergeReaders(c)
	for _, col := range columns {
		m.head = append(m.head, spanOf(c.Readers[col[0]:col[len(col)-1]+1]))
	}
	marks := map[string]string{}
	refused := false
	for _, row := range c.Rows {
		cells := []string{writersOf(row.Writers), row.Format}
		for _, col := range columns {
			a := row.Answers[col[0]]
			switch a.Verdict {
			case kubelet.Accepted:
				cells = append(cells, "yes")
			case kubelet.Refused:
				cells = append(cells, "no")
				refused = true
			default:
				lost := strings.Join(fieldNames(a.Lost), " and ")
				if marks[lost] == "" {
					marks[lost] = string(rune('a' + len(marks)))
					m.notes = append(m.notes, marks[lost]+": "+loses+lost)
				}
				cells = append(cells, marks[lost])
			}
		}
		m.rows = append(m.rows, cells)
	}
	if refused && c.Kind == kubelet.Device {
		m.notes = append(m.notes, "no: logs the error and starts without any device assignment")
	} else if refused {
		m.notes = append(m.notes, "no: does not start")
	}
	for _, r := range c.Remarks {
		m.notes = append(m.notes, "note: "+r)
	}
	return m
}

// mergeReaders joins neighbours that answer alike in every row.
func mergeReaders(c kubelet.Compatibility) (columns [][]int) {
	alike := func(i, j int) bool {
		if len(c.Readers[i].Gates)+len(c.Readers[j].Gates) > 0 {
			return false
		}
		for _, row := range c.Rows {
			a, b := row.Answers[i], row.Answers[j]
			if a.Verdict != b.Verdict || !slices.Equal(fieldNames(a.Lost), fieldNames(b.Lost)) {
				return false
			}
		}
		return true
	}
	for i := range c.Readers {
		if n := len(columns); n > 0 && alike(columns[n-1][0], i) {
			columns[n-1] = append(columns[n-1], i)
		} else {
			columns = append(columns, []int{i})
		}
	}
	return columns
}

// fieldNames are the last fields of paths, each once.
func fieldNames(paths []string) (names []string) {
	for _, p := range paths {
		name := p[strings.LastIndexByte(p, '.')+1:]
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func spanOf(readers []kubelet.Kubelet) string {
	first, last := kubeletLabel(readers[0]), kubeletLabel(readers[len(readers)-1])
	if first == last {
		return first
	}
	return first + "–" + last
}

// writersOf joins writers: releases without gates as a range.
func writersOf(writers []kubelet.Kubelet) string {
	var parts []string
	for i := 0; i < len(writers); {
		j := i + 1
		for j < len(writers) && len(writers[i].Gates) == 0 && len(writers[j].Gates) == 0 {
			j++
		}
		parts = append(parts, spanOf(writers[i:j]))
		i = j
	}
	return strings.Join(parts, ", ")
}

// kubeletLabel is a kubelet in a column head: "1.37PX".
func kubeletLabel(k kubelet.Kubelet) string {
	text := k.Release
	for _, g := range k.Gates {
		switch g {
		case kubelet.GatePodLevelResourceManagers:
			text += "P"
		case kubelet.GateExclusiveCPUResize:
			text += "X"
		}
	}
	return text
}
