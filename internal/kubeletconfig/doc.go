// Package kubeletconfig puts together the configuration that a kubelet starts
// with: its file, the drop-in files, and the command line.
//
// What comes out is one KubeletConfiguration in JSON. Nothing is validated
// here: what a kubelet makes of the values is for package preflight to say.
//
// # What is promised
//
//   - YAML is read by the library that the kubelet reads it with. A document
//     has at most MaxSize bytes, and at most MaxExpanded once its aliases are
//     written out.
//   - A file in JSON goes through unchanged if nothing is merged into it, with
//     its duplicate and unknown fields, for what a kubelet says about them is
//     part of the answer.
//   - Drop-in files are merged as a kubelet does: as JSON merge patches (RFC
//     7386) in the order of their names, after the default of evictionHard was
//     filled into the file; mergeDefaultEvictionSettings counts only in the
//     file. Flags replace what the files say, but feature gates are added.
//
// # What is not
//
//   - Of the kubelet's flags, only those are known that decide here. Others are
//     listed as ignored; that a kubelet refuses one is not noticed.
//   - Names of fields are taken as they are spelled. In a drop-in file, a
//     kubelet also takes them in other case.
package kubeletconfig
