// Package command is the ckpt command line as a value: New builds it from an
// Env, so that tests run the real commands without a process.
//
// # What is promised
//
//   - Only repair, migrate and adopt write to a file or directory, and only where
//     they are told to.
//   - Data goes to Env.Stdout, commentary to Env.Stderr. Nothing that came from
//     a file or a file name reaches either with its control characters intact.
//   - Answers are printed as they are found: memory does not grow with the
//     number of files, and an interrupt leaves what was said so far. What is
//     being written when it comes is finished, and told as if it had not come.
//   - One bad file never hides another.
//
// # Exit codes
//
//	0  good
//	1  at least one finding of severity error (of warning too, with --strict)
//	2  the command line is wrong; nothing was read
//	3  could not decide: a file cannot be read or is of no known kind, or the
//	   answer could not be written
//	130  interrupted before all was said
//
// Of several files the worst decides, in the order 1, 3, 0: that one file is
// bad stays true whatever else could not be read.
package command
