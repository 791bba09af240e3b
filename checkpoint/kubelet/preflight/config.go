package preflight

// Config is what matters here of a KubeletConfiguration. The zero Config is the
// default configuration.
type Config struct {
	CPUManagerPolicy             string
	CPUManagerPolicyOptions      map[string]string
	MemoryManagerPolicy          string
	TopologyManagerPolicy        string
	TopologyManagerScope         string
	TopologyManagerPolicyOptions map[string]string
	ReservedMemory               []MemoryReservation
	SystemReserved               map[string]string
	KubeReserved                 map[string]string
	ReservedSystemCPUs           string
	SystemReservedCgroup         string
	KubeReservedCgroup           string
	// EvictionHard nil stands for the default thresholds, an empty map for none.
	EvictionHard                 map[string]string
	MergeDefaultEvictionSettings bool
	FeatureGates                 map[string]bool
	// IgnoreEvictionThreshold is the flag
	// --experimental-allocatable-ignore-eviction.
	IgnoreEvictionThreshold bool

	fields  []string    // top-level fields, by which a release may refuse the file
	strange []string    // what strict decoding finds, whatever the release
	wrong   []wrongType // fields of another type
	broken  string      // why no kubelet decodes the file
	own     bool        // and this is not to the letter what it says
}

// MemoryReservation keeps memory of one NUMA node for the system.
type MemoryReservation struct {
	NUMANode int32
	Limits   map[string]string // "memory" or "hugepages-2Mi" →
}

// or returns text, or what a kubelet puts in place of an empty one.
func or(text, byDefault string) string {
	if text == "" {
		return byDefault
	}
	return text
}

func (c *Config) cpuPolicy() string      { return or(c.CPUManagerPolicy, policyNone) }
func (c *Config) memoryPolicy() string   { return or(c.MemoryManagerPolicy, memoryNone) }
func (c *Config) topologyPolicy() string { return or(c.TopologyManagerPolicy, topologyNone) }
func (c *Config) topologyScope() string  { return or(c.TopologyManagerScope, scopeContainer) }

// Names of policies, as a kubelet spells them.
const (
	policyNone   = "none"
	policyStatic = "static"

	memoryNone       = "None"
	memoryStatic     = "Static"
	memoryBestEffort = "BestEffort"

	topologyNone       = "none"
	topologyBestEffort = "best-effort"
	topologyRestricted = "restricted"
	topologySingleNode = "single-numa-node"

	scopeContainer = "container"
	scopePod       = "pod"
)

// wrongType is a field of the file that cannot be decoded.
type wrongType struct{ field, text string }

// brokenIn says why a release does not decode the file; "" if it does. A field
// that it does not have is not decoded.
func (c *Config) brokenIn(release string) string {
	if c.broken != "" {
		return c.broken
	}
	for _, w := range c.wrong {
		if hasField(release, w.field) {
			return w.text
		}
	}
	return ""
}

// checkConfig is the decoding of the file and the setting of its gates.
func (s *start) checkConfig() {
	c := &s.q.Config
	if s.broken = c.brokenIn(s.release); s.broken != "" {
		s.fail(StageConfig, Step{Error: s.broken, Own: c.own})
	}
	faults := c.strange
	for _, name := range c.fields {
		if !hasField(s.release, name) {
			faults = append(faults[:len(faults):len(faults)], unknownField(name))
		}
	}
	if len(faults) > 0 {
		text, path := "strict decoding error: "+joined(faults), quotedName(faults[0])
		if s.q.Lenient {
			s.step(StageConfig, Step{OK: true, Path: path, Warning: "the kubelet logs \"" + text + "\" and drops the fields that it does not know"})
		} else {
			s.fail(StageConfig, Step{Error: text, Path: path})
		}
	}
	s.checkGates()
	s.passed(StageConfig)
}
