package checksum

import "reflect"

// TypeString returns the text of t with renamed types under their printed
// names, as error messages of encoding/json would show it. A renamed type that
// stands where it cannot be replaced with certainty keeps its Go name.
func (names Names) TypeString(t reflect.Type) string {
	s, _ := names.print(t)
	return s
}
