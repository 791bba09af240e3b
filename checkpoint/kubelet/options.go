package kubelet

// Options narrows what Judge answers. The zero Options asks for every known
// release with each setting of the gates that matter, takes the policy from
// the file itself and finds the kind from the content.
type Options struct {
	// Kind is the kind of file; empty: from FileName, then from the content.
	Kind Kind
	// FileName is the base name or path that the file was found under. It
	// hints at the kind and appears in error texts.
	FileName string
	// Releases to answer for, as in Release.Name ("1.35"); empty: all known
	// ones. Unknown ones are not answered for.
	Releases []string
	// Gates that are set for those releases; nil: the defaults, and every
	// other setting that changes the answer.
	Gates map[string]bool
	// Policy that the kubelet is configured with; empty: the file's own.
	Policy string
	// Containers are the running containers by container ID. Kubelets 1.18
	// to 1.36 need them to read cpu/v1, and refuse an ID that is not there.
	Containers map[string]ContainerRef
}

// ContainerRef names a container within its pod.
type ContainerRef struct {
	PodUID string
	Name   string
}
