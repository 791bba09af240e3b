// Package style holds the conventions of this module as tests: which package
// may import which, how long a file may be, and what has no place in a library.
// It has nothing to import.
package style
