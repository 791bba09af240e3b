// Package doctest runs the code blocks of the README and of docs/ as tests, so
// that what they show is what happens. It has nothing to import.
//
// A block is run by the language behind its opening fence:
//
//	console  lines that begin with "$ " are commands for a POSIX shell, run one
//	         after the other in one shell at the root of the module; a command
//	         goes on behind a line that ends in \. The lines after a command are
//	         what it prints, to stdout and stderr; a line that is only "..."
//	         stands for any number of lines. ckpt is in the PATH. Only commands
//	         that leave the checkout alone are run; the tests list them.
//	go       a whole file is compiled; package main is run too if its last lines
//	         are an "// Output:" comment, which must be what it prints. Anything
//	         else is compiled as the body of a function, with the imports it needs.
//	json     must parse.
//
// Text, yaml, ini, diff and mermaid are for reading only. Any other language,
// or none, is an error: a block that nothing checks is a choice.
package doctest
