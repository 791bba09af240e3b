package kubelet

// Others returns, if the answer is Random, the errors that map order may put in
// the place of Error.
func (a Answer) Others() []string { return a.others }

// refuse fills in why a kubelet does not take a file.
func (a *Answer) refuse(k *kindTable, r reader, file string, no *refusal) {
	words := func(err string) string {
		if no.bare {
			return err
		}
		return k.refusal(r, file, err)
	}
	a.Verdict, a.Error, a.Panics, a.Random = Refused, words(no.err), no.panics, len(no.others) > 0
	for _, err := range no.others {
		a.others = append(a.others, words(err))
	}
}
