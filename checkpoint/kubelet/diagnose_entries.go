package kubelet

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// added tries the text without each entry, and without runs of them. That costs
// nothing: the states before and after an entry are known.
func (s *search) added() {
	const longest = 64
	for g := range s.sk.groups {
		group := &s.sk.groups[g]
		if s.d.stopped() {
			return
		}
		n := len(group.entries)
		for i := 0; i < n && !s.d.stopped(); i++ {
			for j := i; j < min(n, i+longest); j++ {
				a, b := group.span(i, j)
				s.tried++
				if s.text.Without(a, b) {
					s.hitAdded(group, i, j, nil)
				}
			}
		}
		if m := group.member; m > 0 { // left out where it would be empty
			s.tried++
			if s.text.Without(m, group.b+1) {
				s.hitAdded(group, 0, n-1, nil)
			}
		}
	}
}

// span is the text of entries i to j with one separator.
func (g *group) span(i, j int) (a, b int) {
	a, b = g.entries[i].a, g.entries[j].b
	switch {
	case j+1 < len(g.entries):
		b = g.entries[j+1].a
	case i > 0:
		a = g.entries[i-1].b
	}
	return a, b
}

func (s *search) hitAdded(g *group, i, j int, also []Change) {
	h := hit{kind: KindAdded, tok: -1, path: s.entryPath(g, i), also: also}
	for k := i + 1; k <= j; k++ {
		h.also = append(h.also, Change{Path: s.entryPath(g, k)})
	}
	if i == 0 && j == len(g.entries)-1 && j > 0 {
		h.path, h.also = g.path, also
	}
	s.hit(h, true)
}

func (s *search) entryPath(g *group, i int) string {
	if k := g.entries[i].key; k >= 0 {
		return s.sk.tokens[k].path
	}
	return g.path + "[" + strconv.Itoa(i) + "]"
}

// keys tries other names for entries: with one edit, in other case, from a
// dictionary, and from the hints.
func (s *search) keys() {
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		if s.d.stopped() {
			return
		}
		if t.key {
			s.keyEdits(i, false)
		}
		if t.role == roleName || t.role == roleUID || t.role == roleText && t.key {
			s.dictionary(i)
		}
	}
}

// keyEdits tries names that differ in one character. Names under which the
// entry stands where it is were tried as bytes of the text, unless all is set.
func (s *search) keyEdits(tok int, all bool) {
	t := &s.sk.tokens[tok]
	at, ordered := s.slotOf[tok]
	first := len(t.value) // the last character that can matter for the order
	if ordered && s.sk.groups[at[0]].order != asStored {
		g := &s.sk.groups[at[0]]
		first = 0
		for _, i := range []int{at[1] - 1, at[1] + 1} {
			if i >= 0 && i < len(g.entries) {
				first = max(first, commonPrefix(t.value, s.sk.tokens[g.entries[i].key].value))
			}
		}
		if g.order == byNumber {
			first = len(t.value)
		}
	} else if !all {
		return
	}
	letters := t.role.letters()
	places := min(len(t.value), first) + 1
	if t.tooLong(2 * len(letters) * places) {
		places = 0
	}
	for p := 0; p < places && !s.d.stopped(); p++ {
		before, after := t.value[:p], t.value[p:]
		for i := range len(letters) {
			s.value(tok, before+letters[i:i+1]+after)
			if after != "" {
				s.value(tok, before+letters[i:i+1]+after[1:])
			}
		}
		if after == "" {
			continue
		}
		s.value(tok, before+after[1:])
		if len(after) > 1 {
			s.value(tok, before+after[1:2]+after[:1]+after[2:])
		}
	}
	s.value(tok, strings.ToLower(t.value))
	s.value(tok, strings.ToUpper(t.value))
}

func commonPrefix(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// usualNames are names that containers often have.
var usualNames = strings.Fields(`app main server web api nginx redis postgres mysql mongodb kafka zookeeper rabbitmq etcd
	sidecar istio-proxy istio-init envoy linkerd-proxy proxy kube-proxy coredns agent collector exporter node-exporter
	prometheus grafana alertmanager config-reloader fluentd fluent-bit filebeat vector log logger logging metrics
	init init-container setup wait migrate worker job task runner build test client consumer producer controller
	manager operator webhook scheduler kube-scheduler kube-apiserver kube-controller-manager kube-rbac-proxy
	csi-driver csi-provisioner csi-attacher csi-resizer csi-snapshotter node-driver-registrar liveness-probe
	driver-registrar device-plugin nvidia-device-plugin gpu cuda train trainer inference notebook jupyter spark-kubernetes-driver
	spark-kubernetes-executor dpdk pktgen testpmd upf amf smf vm compute virt-launcher busybox ubuntu debian alpine
	centos fedora pause sleep stress cpu-stress shell debug debugger backend frontend database db cache queue ingress
	gateway router balancer haproxy traefik cni calico-node cilium-agent multus flannel kube-flannel vault consul a b c
	container container1 container2 container-0 container-1 container1-0 c0 c1 c2 app1 app2 cnt cnt1 cnt2 pod nginx1`)

// dictionary tries whole names: those that other entries have, common ones, and
// the hints.
func (s *search) dictionary(tok int) {
	t := &s.sk.tokens[tok]
	switch t.role {
	case roleUID:
		for _, w := range s.d.o.Hints.PodUIDs {
			s.value(tok, w)
		}
		return
	case rolePolicy:
		for _, w := range policyNames(s.kind) {
			s.value(tok, w)
		}
		return
	case roleResource:
		for _, w := range append(s.values(roleResource), "cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "hugepages-1Gi",
			"hugepages-64Ki", "hugepages-32Mi", "hugepages-512Mi", "nvidia.com/gpu", "amd.com/gpu") {
			s.value(tok, w)
		}
		return
	case roleName:
		for _, w := range s.d.o.Hints.Containers {
			s.value(tok, w)
		}
		for _, w := range usualNames {
			s.value(tok, w)
		}
		for _, w := range s.values(roleName) {
			s.value(tok, w)
		}
	}
}

// values returns the different values in a role, up to a number.
func (s *search) values(r role) []string {
	const most = 500
	if s.distinct == nil {
		s.distinct = map[role][]string{}
	}
	if list, ok := s.distinct[r]; ok {
		return list
	}
	seen := map[string]bool{}
	list := []string{}
	for i := range s.sk.tokens {
		if t := &s.sk.tokens[i]; t.role == r && !seen[t.value] && len(list) < most {
			seen[t.value] = true
			list = append(list, t.value)
		}
	}
	s.distinct[r] = list
	return list
}

// enumerated tries all values of what has few.
func (s *search) enumerated() {
	nodes := s.nodeIDs()
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		if s.d.stopped() {
			return
		}
		switch t.role {
		case rolePolicy, roleResource:
			s.dictionary(i)
		case roleNode:
			for _, n := range nodes {
				s.value(i, strconv.Itoa(n))
			}
		case roleCount:
			for n := range 1000 {
				s.value(i, strconv.Itoa(n))
			}
		}
	}
	sep := " "
	if s.sk.json >= 0 {
		sep = ","
	}
	sets := subsets(nodes)
	for i := range s.sk.tokens {
		t := &s.sk.tokens[i]
		if s.d.stopped() {
			return
		}
		if t.role != roleNothing || !isNodeList(t.schema) {
			continue
		}
		for _, set := range sets {
			s.tried++
			if s.text.Replace(t.a, t.b, "["+strings.Join(set, sep)+"]") {
				s.hit(hit{kind: KindValue, tok: i, old: "[" + strings.Join(set, ",") + "]"}, true)
			}
		}
	}
	for g := range s.sk.groups {
		group := &s.sk.groups[g]
		if s.d.stopped() {
			return
		}
		if group.isMap || !isNodeList(group.schema) {
			continue
		}
		for _, set := range sets {
			s.tried++
			if text := strings.Join(set, sep); s.text.Replace(group.a, group.b, text) {
				now := strings.ReplaceAll(string(s.sk.text[group.a:group.b]), " ", ",")
				if old := strings.Join(set, ","); old != now {
					s.hit(hit{kind: KindValue, tok: -1, path: group.path, old: "[" + old + "]", now: "[" + now + "]"}, true)
				}
			}
		}
	}
}

func isNodeList(schema string) bool {
	return strings.HasSuffix(schema, "cells") || strings.HasSuffix(schema, "numaAffinity")
}

// nodeIDs returns the NUMA nodes that the file may mean.
func (s *search) nodeIDs() []int {
	most := 1
	for i := range s.sk.tokens {
		if t := &s.sk.tokens[i]; t.role == roleNode && t.key {
			if n, err := strconv.Atoi(t.value); err == nil && n < 64 {
				most = max(most, n)
			}
		}
	}
	var list []int
	for n := range most + 1 {
		list = append(list, n)
	}
	return list
}

// subsets returns the subsets of up to eight nodes, in order.
func subsets(nodes []int) (sets [][]string) {
	n := min(len(nodes), 8)
	for mask := 1; mask < 1<<n; mask++ {
		var set []string
		for i := range n {
			if mask>>i&1 == 1 {
				set = append(set, strconv.Itoa(nodes[i]))
			}
		}
		sets = append(sets, set)
	}
	return sets
}

// nulls tries null, [] and {} in place of each other: one, all of a sort, all.
func (s *search) nulls() {
	spelt := []string{"<nil>", "[]", "map[]"}
	if s.sk.json >= 0 {
		spelt = []string{"null", "[]", "{}"}
	}
	meaning := map[string]string{"<nil>": "null", "null": "null", "[]": "[]", "map[]": "{}", "{}": "{}"}
	sorts := map[string][]int{}
	var all []int
	for i := range s.sk.tokens {
		if t := &s.sk.tokens[i]; t.role == roleNothing {
			sorts[t.schema] = append(sorts[t.schema], i)
			all = append(all, i)
		}
	}
	try := func(list []int, to string) {
		var edits []edit
		h := hit{kind: KindNull, tok: list[0], old: meaning[to]}
		for n, i := range list {
			t := &s.sk.tokens[i]
			edits = append(edits, edit{t.a, t.b, to})
			if n > 0 {
				h.also = append(h.also, Change{Path: t.path, Old: meaning[to], New: t.value})
			}
		}
		s.tried++
		if s.edits(edits...) {
			s.hit(h, true)
		}
	}
	for _, to := range spelt {
		for _, i := range all {
			t := &s.sk.tokens[i]
			if s.d.stopped() {
				return
			}
			if string(s.sk.text[t.a:t.b]) != to {
				try([]int{i}, to)
			}
		}
		for _, schema := range slices.Sorted(maps.Keys(sorts)) {
			if len(sorts[schema]) > 1 {
				try(sorts[schema], to)
			}
		}
		if len(sorts) > 1 {
			try(all, to)
		}
	}
}
