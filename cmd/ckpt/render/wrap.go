package render

import "strings"

// maxWrapped bounds the lines that one value may fill.
const maxWrapped = 24

// wrap breaks t into lines of at most w columns: at spaces where it can, else
// after a comma, slash, dot or bracket, else anywhere. What would not fit maxWrapped lines is cut.
func (t text) wrap(w int) []text {
	w = max(w, 1)
	t = t.cut(w * maxWrapped)
	var lines []text
	var line text
	used := 0
	for _, word := range strings.Fields(string(t)) {
		piece := text(word)
		n := piece.width()
		if used > 0 && used+1+n <= w {
			line += " " + piece
			used += 1 + n
			continue
		}
		if used > 0 {
			lines = append(lines, line)
		}
		for n > w {
			head, tail := piece.split(w)
			lines = append(lines, head)
			piece, n = tail, tail.width()
		}
		line, used = piece, n
	}
	if used > 0 || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// split breaks a word that is wider than w. The head is never empty.
func (t text) split(w int) (head, tail text) {
	end, soft, used := 0, 0, 0
	for i, r := range t {
		n := text(r).width()
		if used+n > w && i > 0 {
			break
		}
		used += n
		end = i + len(string(r))
		if strings.ContainsRune(",./]", r) && used > w/2 {
			soft = end
		}
	}
	if soft > 0 {
		end = soft
	}
	return t[:end], t[end:]
}
