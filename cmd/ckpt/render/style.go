package render

// style is how a span looks where colour is allowed. Meaning never hangs on it:
// every page reads the same without.
type style uint8

const (
	plain style = iota
	strong
	faint
	good
	caution
	bad
	firstHue // and hues-1 more
)

const hues = 10

// hue returns a colour for the i-th of many things. Neighbours differ.
func hue(i int) style { return firstHue + style(i%hues) }

// sgr holds the parameters of the "select graphic rendition" sequence by style.
// The hues leave out red, which is for what is wrong.
var sgr = [...]string{
	plain: "", strong: "1", faint: "2", good: "32", caution: "33", bad: "31",
	firstHue: "36", "35", "34", "33", "32", "96", "95", "94", "93", "92",
}

// span is a piece of a line in one style.
type span struct {
	text  text
	style style
}

func say(t text) span            { return span{text: t} }
func sayAs(s style, t text) span { return span{t, s} }
