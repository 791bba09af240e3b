package preflight

import (
	"fmt"
	"slices"
)

func (a *adviser) reservedCPUs(g *group) Advice {
	st := g.steps[0]
	ad := a.about(g, CPUManagerState)
	reserved, defaults := mustList(st.Machine), mustList(st.File)
	strict := a.q.Config.CPUManagerPolicyOptions[optStrict] == "true"
	if strict {
		ad.Do = "take strict-cpu-reservation out of cpuManagerPolicyOptions again"
		ad.Instead = append(ad.Instead, ad.replace())
		return a.adoptable(ad, g, "reserved CPUs leave the shared pool, others join it")
	}
	lacking := reserved.minus(defaults)
	users := holding(ad.Lost, lacking)
	switch off := a.turnedOff(); {
	case a.q.Config.ReservedSystemCPUs == "" && len(off) > 0:
		ad.Do = fmt.Sprintf("turn CPUs on again (chcpu -e %s): which CPUs are reserved is chosen among those that are on, and moved with them", off)
	case len(users) > 0:
		ad.Do = fmt.Sprintf("reserve other CPUs (%s): %s exclusively by %s", free(defaults, len(reserved)), heldWords(lacking), podList(users))
	default:
		ad.Do = fmt.Sprintf("reserve CPUs that the file has in its default set (%s): %s in nobody's hands there", free(defaults, len(reserved)), isAre(lacking))
	}
	ad.Instead = append(ad.Instead, ad.replace())
	return ad
}

// turnedOff are the CPUs that the file has and the machine has not.
func (a *adviser) turnedOff() cpuList {
	for _, g := range a.groups {
		if g.code == codeCPUsChanged {
			return mustList(g.steps[0].File).minus(a.q.Machine.cpus())
		}
	}
	return nil
}

// free proposes the first CPUs of the shared pool.
func free(defaults cpuList, n int) string {
	if n > len(defaults) {
		return "the default set has only " + fmt.Sprint(len(defaults))
	}
	return "reservedSystemCPUs: " + cpuList(slices.Clone(defaults[:n])).String()
}

func heldWords(l cpuList) string { return isAre(l) + " held" }

func isAre(l cpuList) string { return cpuWords(l) + inNumber(l, " is", " are") }

func podList(held []Holder) string {
	const most = 3
	var names []string
	for _, h := range held[:min(len(held), most)] {
		names = append(names, h.Pod)
	}
	if n := len(held) - most; n > 0 {
		return fmt.Sprintf("%s and %d more", joined(names), n)
	}
	return joined(names)
}

func (a *adviser) cpusChanged(g *group) Advice {
	st := g.steps[0]
	ad := a.about(g, CPUManagerState)
	inFile, have := mustList(st.File), mustList(st.Machine)
	gone, added := inFile.minus(have), have.minus(inFile)
	switch users := holding(ad.Lost, gone); {
	case len(gone) > 0 && len(gone.minus(a.q.Machine.cpus())) == 0:
		ad.Do = fmt.Sprintf("%s on, but set aside by strict-cpu-reservation: this is settled with the reserved CPUs", isAre(gone))
		return ad
	case len(gone) == 0 && len(holding(ad.Lost, added)) > 0:
		ad.Do = fmt.Sprintf("%s by %s in a part of the file that this kubelet forgets: start one that knows it, or drain the node before this one is started", heldWords(added), podList(holding(ad.Lost, added)))
		ad.Instead = append(ad.Instead, ad.replace())
		return ad
	case len(gone) == 0 && len(inFile) > 0 && added[0] < inFile[len(inFile)-1]:
		ad.Do = fmt.Sprintf("%s in no set of the file: off before, or held by a pod that was lost from it. Turn them off again if they were off; else drain the node, stop the kubelet, keep a copy of %s, delete it and start the kubelet",
			isAre(added), CPUManagerState)
		return ad
	case len(gone) == 0:
		ad.Do = fmt.Sprintf("the machine has more CPUs than the file (%s): turn them off again until the node is drained", added)
	case len(users) > 0:
		ad.Do = fmt.Sprintf("turn CPUs on again (chcpu -e %s): %s by %s", gone, heldWords(gone), podList(users))
	default:
		ad.Do = fmt.Sprintf("turn CPUs on again (chcpu -e %s): the file counts on them, though no pod holds them", gone)
	}
	if ad.Instead = append(ad.Instead, ad.replace()); len(gone) > 0 {
		return ad
	}
	return a.adoptable(ad, g, "the new CPUs join the shared pool, if they are new: the file does not tell them from those of a pod that was lost from it")
}

// cpus are the CPUs that are on.
func (m *Machine) cpus() cpuList {
	var all []int
	for _, n := range m.Nodes {
		for _, c := range n.Cores {
			all = append(all, c.Threads...)
		}
	}
	return newList(all)
}
