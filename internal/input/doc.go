// Package input turns the path arguments of a command into bytes without
// trusting what lies at those paths.
//
// It is the only package of the command that opens files to judge. All others
// that judge turn bytes into verdicts.
//
// # What is promised
//
//   - Nothing but a regular file is read. A directory, named pipe, socket or
//     device is recognised before it is opened, because opening alone can do
//     harm (a pipe blocks, /dev/watchdog starts a countdown), and checked again
//     on the open file. Only standard input may be anything.
//   - No read waits for data. A regular file of /proc that would wait, such as
//     /proc/kmsg, is an error.
//   - No more than Reader.Limit bytes are held for one file. A file that is
//     larger by its size is refused unread; one that lies about its size (as in
//     /proc), grows while it is read, or comes by standard input is refused at
//     the first byte beyond.
//   - With Reader.Root set, nothing outside that directory is opened, whatever
//     links say and whoever swaps them meanwhile. Absolute links start again at
//     the root, ".." stops there: a path means what it would mean after chroot.
//   - Every path gets an answer: its bytes, or one *Error. One bad path never
//     hides another.
//
// # What is not
//
//   - A file that is changed in place while it is read may come out torn.
//     The kubelet replaces its files by rename, which is safe.
//   - A directory moved out of the root by a third party while the walk stands
//     in it is still walked. What is opened was inside when the walk got there.
//   - What a directory was listed with is believed for three seconds (on Linux). A
//     device that takes a file's place in that time is opened before it is
//     recognised; a pipe as well, but it is not waited for, and a link is not
//     followed.
//   - A file system that hangs, such as a dead NFS server, hangs the read.
//   - Away from Linux the walk rests on os.Root: it does not leave the root
//     either, but needs read permission on every directory on the way (Linux
//     needs search permission only), and a link swapped in during the walk may
//     be followed within the root. On Windows the drive of an absolute link is
//     dropped.
package input
