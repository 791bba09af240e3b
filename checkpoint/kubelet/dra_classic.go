package kubelet

import "github.com/kubeckpt/ckpt/checksum"

// draClassic is the state of kubelet 1.29 and 1.30 as a plain struct. The two
// differ in what a resource handle H is, and thereby in the hash.
type draClassic[H any] struct {
	Version  string              `json:"version"`
	Entries  draClassicClaims[H] `json:"entries,omitempty"`
	Checksum checksum.Checksum   `json:"checksum"`
}

type draClassicClaims[H any] []draClassicClaim[H]

type draClassicClaim[H any] struct {
	DriverName      string
	ClassName       string
	ClaimUID        draUID
	ClaimName       string
	Namespace       string
	PodUIDs         NameSet
	ResourceHandles []H
	CDIDevices      map[string][]string
}

// draBare is how the struct was hashed before claims had resource handles.
// Kubelets 1.29 and 1.30 accept a sum over it as well, and take the version
// field for "v1" whatever it says.
type draBare struct {
	Version  string
	Entries  draBareClaims
	Checksum checksum.Checksum
}

type draBareClaims []draBareClaim

type draBareClaim struct {
	DriverName string
	ClassName  string
	ClaimUID   draUID
	ClaimName  string
	Namespace  string
	PodUIDs    NameSet
	CDIDevices map[string][]string
}

func (d draClassic[H]) unsummed() any {
	d.Checksum = 0
	return &d
}

const draBareName = "state.DRAManagerCheckpointWithoutResourceHandles"

func draClassicNames[H any](more checksum.Names) checksum.Names {
	return checksum.Merge(draNames, more,
		checksum.Name[draClassicClaims[H]]("state.ClaimInfoStateList"),
		checksum.Name[draClassicClaim[H]]("state.ClaimInfoState"),
		checksum.Name[H]("v1alpha2.ResourceHandle"),
	)
}

// draClassicFormat fills in what both versions have in common.
func draClassicFormat[H any](f format, load func(H) ClaimHandle, store func(ClaimHandle) H) *format {
	f.fresh = func() any { return &draClassic[H]{Version: "v1", Entries: draClassicClaims[H]{}} }
	f.sums = []sum{sumOf("checksum", algFNV, func(d *draClassic[H]) *checksum.Checksum { return &d.Checksum },
		dumped[draClassic[H], draClassic[H]]("state.DRAManagerCheckpoint", f.names, (*draClassic[H]).unsummed),
		withoutHandles[H](),
	)}
	f.inMemory = func(doc any, yield func(any, string) bool) {
		c := *doc.(*draClassic[H])
		c.Entries = nil
		yield(&c, "a list of claims that was never made was hashed as nil, but is read back as an empty list")
	}
	f.content = of2(func(d *draClassic[H]) (any, error) {
		st := &DRAState{}
		if d.Entries != nil {
			st.Claims = []ClassicClaim{}
		}
		for _, c := range d.Entries {
			st.Claims = append(st.Claims, ClassicClaim{c.DriverName, c.ClassName, string(c.ClaimUID), c.ClaimName, c.Namespace,
				c.PodUIDs, each(c.ResourceHandles, load), c.CDIDevices})
		}
		return st, nil
	})
	f.build = of3(func(st *DRAState, _ string) (any, error) {
		d := &draClassic[H]{Version: "v1", Entries: draClassicClaims[H]{}}
		for _, c := range st.Claims {
			d.Entries = append(d.Entries, draClassicClaim[H]{c.DriverName, c.ClassName, draUID(c.ClaimUID), c.ClaimName, c.Namespace,
				c.PodUIDs, each(c.ResourceHandles, store), c.CDIDevices})
		}
		return d, nil
	})
	return &f
}

func withoutHandles[H any]() spelling {
	names := checksum.Merge(draNames,
		checksum.Name[draBare]("state.DRAManagerCheckpoint"),
		checksum.Name[draBareClaims]("state.ClaimInfoStateList"),
	)
	return spelling{typeName: draBareName, value: func(doc any) (any, checksum.Names) {
		bare := &draBare{Version: "v1", Entries: draBareClaims{}}
		for _, c := range doc.(*draClassic[H]).Entries {
			bare.Entries = append(bare.Entries,
				draBareClaim{c.DriverName, c.ClassName, c.ClaimUID, c.ClaimName, c.Namespace, c.PodUIDs, c.CDIDevices})
		}
		return bare, names
	}}
}

// each converts a list, nil to nil and empty to empty.
func each[A, B any](list []A, convert func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, 0, len(list))
	for _, a := range list {
		out = append(out, convert(a))
	}
	return out
}
