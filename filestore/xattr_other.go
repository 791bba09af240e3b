//go:build !linux

package filestore

// osSystem is the operating system's part beyond FS.
type osSystem struct{}

// CopyAttributes does nothing: the standard library reads extended attributes on
// Linux only.
func (osSystem) CopyAttributes(string, string) error { return nil }
