// Package powercut gives tests a real file system that can lose its power: an
// image in a file, mounted through a loop device, told by FS_IOC_SHUTDOWN to
// forget everything that is not on the disk yet. It needs root, Linux, losetup
// and the mkfs of the file system. What the kernel had already handed to the disk
// stays, so a disk that lies about its cache is not tested.
package powercut
