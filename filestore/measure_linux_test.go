package filestore_test

import "fmt"

func measureCuts(fsType string) func(measurement) (row, error) {
	return func(m measurement) (row, error) {
		n := amount("CKPT_CUTS", 200)
		r := row{name: "power cuts, " + fsType}
		v, err := powerCuts(imageDir(m), fsType, "", "ours", n)
		if err != nil {
			return r, err
		}
		r.got = fmt.Sprintf("%d cuts: %v, 0 after", n, v)
		control, err := powerCuts(imageDir(m), fsType, "", "kubelet", n)
		r.control = fmt.Sprintf("%d cuts: %v", n, control)
		if err == nil {
			err = bad(v)
		}
		return r, err
	}
}

// measureBlind shows what the stat after the fsync of a directory is for: a write
// that is acknowledged although xfs has already shut down.
func measureBlind(m measurement) (row, error) {
	n := amount("CKPT_CUTS", 200)
	r := row{name: "power cuts, xfs, our order without the fstat of the directory"}
	v, err := powerCuts(imageDir(m), "xfs", "", "blind", n)
	r.got = "see the row of xfs"
	r.control = fmt.Sprintf("%d cuts: %v", n, v)
	return r, err
}
