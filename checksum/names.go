package checksum

import (
	"maps"
	"reflect"
	"strings"
)

// Names says under which name a Go type is printed in a dump, for documents
// whose types bear other names than the program that wrote them. The nil map
// renames nothing.
//
// A renamed type is renamed wherever it occurs: as the value itself, as a field
// or an element, and inside the composite types that are made of it, so with
//
//	Name[Table]("state.MemoryTable")
//
// the type map[string]*Table is printed as "map[string]*state.MemoryTable".
// Entries for types without a name of their own, such as []Table, have no
// effect. A generic type is renamed as a whole, by an entry for the instance:
// Name[Set[string]]("sets.Set[string]").
type Names map[reflect.Type]string

// Name returns the Names that print T as printed, such as "state.Block".
func Name[T any](printed string) Names {
	return Names{reflect.TypeFor[T](): printed}
}

// Merge returns a new map with all entries of all; later ones win.
func Merge(all ...Names) Names {
	merged := Names{}
	for _, names := range all {
		maps.Copy(merged, names)
	}
	return merged
}

// TypeString returns the text of t with renamed types under their printed
// names, as error messages of encoding/json would show it. A renamed type that
// stands where it cannot be replaced with certainty keeps its Go name.
func (names Names) TypeString(t reflect.Type) string {
	s, _ := names.print(t)
	return s
}

// print returns the text of t. It reports false if the text mentions a renamed
// type where it cannot be replaced with certainty.
func (names Names) print(t reflect.Type) (string, bool) {
	if len(names) == 0 {
		return t.String(), true
	}
	if t.Name() != "" {
		if name, ok := names[t]; ok {
			return name, true
		}
		return t.String(), !names.inArguments(t)
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		elem, ok := names.print(t.Elem())
		return strings.TrimSuffix(t.String(), t.Elem().String()) + elem, ok
	case reflect.Map:
		key, keyOK := names.print(t.Key())
		elem, elemOK := names.print(t.Elem())
		return "map[" + key + "]" + elem, keyOK && elemOK
	}
	return t.String(), !names.within(t)
}

// within reports whether the text of t mentions a renamed type. It ends because
// types without a name cannot be recursive but through one that has a name.
func (names Names) within(t reflect.Type) bool {
	if t.Name() != "" {
		_, renamed := names[t]
		return renamed || names.inArguments(t)
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		return names.within(t.Elem())
	case reflect.Map:
		return names.within(t.Key()) || names.within(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if names.within(t.Field(i).Type) {
				return true
			}
		}
	case reflect.Interface:
		// Asking reflect for its methods would keep the linker from dropping
		// any method of any type.
		return names.mentioned(t.String())
	case reflect.Func:
		for i := range t.NumIn() {
			if names.within(t.In(i)) {
				return true
			}
		}
		for i := range t.NumOut() {
			if names.within(t.Out(i)) {
				return true
			}
		}
	}
	return false
}

// inArguments reports whether t is an instance of a generic type with a renamed
// type among its arguments. reflect knows these only as text, where they are
// written with their full import path.
func (names Names) inArguments(t reflect.Type) bool {
	_, arguments, generic := strings.Cut(t.Name(), "[")
	return generic && names.mentioned(arguments)
}

// mentioned reports whether text has a renamed type in it, under the name of
// its package or, as in the arguments of a generic type, with its import path.
func (names Names) mentioned(text string) bool {
	for renamed := range names {
		if renamed.Name() == "" {
			continue
		}
		full := renamed.Name()
		if path := renamed.PkgPath(); path != "" {
			full = path + "." + full
		}
		if containsWord(text, full) || containsWord(text, renamed.String()) {
			return true
		}
	}
	return false
}

// containsWord is strings.Contains for a word that must not go on to the left
// or right.
func containsWord(s, word string) bool {
	for {
		i := strings.Index(s, word)
		if i < 0 {
			return false
		}
		end := i + len(word)
		if (i == 0 || !inWord(s[i-1])) && (end == len(s) || !inWord(s[end])) {
			return true
		}
		s = s[i+1:]
	}
}

func inWord(c byte) bool {
	return c >= 0x80 || c == '_' || c == '.' || c == '/' || c == '-' ||
		'0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
