package render

import (
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
)

const (
	memoryIndent = 4
	memoryLabel  = 13 // "hugepages-1Gi"
)

// memoryTable draws one resource of one node: its bar, then its numbers, each in
// a handy unit and in bytes; head adds what the numbers are.
//
//	memory         =########........................................   13% held
//	         total  systemReserved   allocatable      reserved          free
//	     16.00 GiB         512 MiB     15.50 GiB      2.00 GiB     13.50 GiB
//	   17179869184       536870912   16642998272    2147483648   14495514624
func (p *page) memoryTable(name text, t *kubelet.MemoryTable, head bool) {
	label := span{name.cut(p.width/2).pad(memoryLabel) + "  ", plain}
	if t == nil {
		p.line(say(spaces(memoryIndent)), label, sayAs(faint, "null in the file"))
		return
	}
	if *t == (kubelet.MemoryTable{}) {
		p.line(say(spaces(memoryIndent)), label, sayAs(faint, "none"))
		return
	}
	note := "  " + share(t.Reserved, t.Allocatable).padLeft(4) + " reserved"
	room := p.width - memoryIndent - label.text.width() - note.width()
	line := []span{say(spaces(memoryIndent)), label}
	line = append(line, bar(t, max(room, 8))...)
	p.line(append(line, say(note))...)

	names := []text{"total", "systemReserved", "allocatable", "reserved", "free"}
	values := []uint64{t.TotalMemSize, t.SystemReserved, t.Allocatable, t.Reserved, t.Free}
	per := min((p.width-memoryIndent)/len(values), 20)
	fits := per > len("systemReserved")
	for _, v := range values {
		fits = fits && exact(v).width() < per
	}
	if !fits {
		g := &grid{indent: memoryIndent + memoryLabel + 2, columns: []column{{}, {right: true}, {right: true}}}
		for i, v := range values {
			g.row(sayAs(faint, names[i]), say(size(v)), say(exact(v)))
		}
		p.grid(g)
		return
	}
	var title, handy, bytes text
	for i, v := range values {
		title += names[i].padLeft(per)
		handy += size(v).padLeft(per)
		bytes += exact(v).padLeft(per)
	}
	if head {
		p.line(say(spaces(memoryIndent)), sayAs(faint, title))
	}
	p.line(say(spaces(memoryIndent)), say(handy))
	p.line(say(spaces(memoryIndent)), say(bytes))
}

// bar draws t in n columns, parts in proportion to the total.
func bar(t *kubelet.MemoryTable, n int) []span {
	// What is neither the system's nor allocatable is set aside for hugepages.
	var huge uint64
	if t.TotalMemSize > t.SystemReserved && t.TotalMemSize-t.SystemReserved > t.Allocatable {
		huge = t.TotalMemSize - t.SystemReserved - t.Allocatable
	}
	parts := []struct {
		value uint64
		mark  string
		style style
	}{{t.SystemReserved, "=", caution}, {huge, "~", hue(2)}, {t.Reserved, "#", hue(0)}, {t.Free, ".", faint}}
	var values []uint64
	for _, part := range parts {
		values = append(values, part.value)
	}
	var spans []span
	for i, columns := range apportion(values, n) {
		spans = append(spans, span{text(strings.Repeat(parts[i].mark, columns)), parts[i].style})
	}
	return spans
}

// apportion shares n columns among values. Whatever is not 0 gets at least one,
// if there are enough.
func apportion(values []uint64, n int) []int {
	total := 0.0
	for _, v := range values {
		total += float64(v)
	}
	columns := make([]int, len(values))
	if total == 0 {
		return columns
	}
	used, largest := 0, 0
	for i, v := range values {
		columns[i] = int(float64(v) / total * float64(n))
		if v > 0 && columns[i] == 0 {
			columns[i] = 1
		}
		used += columns[i]
		if v > values[largest] {
			largest = i
		}
	}
	columns[largest] = max(columns[largest]+n-used, 0) // takes what rounding left or lacks
	return columns
}

// share is part of whole in percent. It is 0% and 100% only if that is exact.
func share(part, whole uint64) text {
	switch {
	case whole == 0 && part == 0:
		return "0%"
	case part == whole:
		return "100%"
	case whole == 0 || part > whole:
		return ">100%"
	}
	percent := int(float64(part)/float64(whole)*100 + 0.5)
	if part > 0 {
		percent = max(percent, 1)
	}
	return textf("%d%%", min(percent, 99))
}
