// Package render turns verdicts of package kubelet into text: one line a file,
// JSON, a line for node-problem-detector, Prometheus metrics, or the full page
// of ckpt explain with the content of the file drawn.
//
// It is the last layer before the output and knows nothing but plain data: it opens
// no file, reads no environment and no clock, and decides no exit code. The same
// files and options give the same bytes.
//
// What is promised:
//
//   - Names and values from a file are untrusted. They reach the writer only as
//     text that internal/termtext has cleaned; JSON escapes them instead.
//   - No line of a table or page is wider than Options.Width columns. Wide is the
//     exception: it is for pagers and grep, and cuts nothing.
//   - Output stays in proportion to a terminal. Long lists end in how many more
//     there are; JSON always has all of them.
//   - Values that look like secrets are hidden, in JSON too, unless asked for.
//   - Field names of JSON, metric names and labels do not change meaning.
//
// Prose is not a contract: scripts read JSON.
package render
