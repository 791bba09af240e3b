package checkpoint

import "sync"

// memory is what a State knows without looking at the file.
type memory struct {
	mu     sync.Mutex
	last   *snapshot // what is known to be durable; nil: nothing
	top    uint64    // the highest generation seen
	unsure bool      // the last change may not be durable
	again  bool      // and it was a recovery, so that the store does not know of it

	notes uint64 // how often last was set
}

// snapshot is a state as bytes, so that nobody shares memory with us.
type snapshot struct {
	payload []byte
	info    Info
}

func (m *memory) value() *snapshot {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

func (m *memory) highest() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.top
}

// begin is called before a file is read or written, and what it returns is given
// to read or wrote. If something else was noted meanwhile, it is not known which
// is the later; the generation decides then.
func (m *memory) begin() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.notes
}

// read notes what a file said; nil stands for none. What may not be durable is not
// remembered.
func (m *memory) read(begun uint64, s *snapshot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.unsure {
		m.note(begun, s)
	}
}

// wrote notes what is durable; nil stands for a file that was removed.
func (m *memory) wrote(begun uint64, s *snapshot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unsure, m.again = false, false
	m.note(begun, s)
}

func (m *memory) note(begun uint64, s *snapshot) {
	later := begun == m.notes
	if s != nil {
		m.top = max(m.top, s.info.Generation)
		later = later || m.last != nil && s.info.Generation > m.last.info.Generation
	}
	if later {
		m.last = s
		m.notes++
	}
}

// see notes a generation that somebody has written.
func (m *memory) see(generation uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.top = max(m.top, generation)
}

// mustWrite reports whether what is in the file has to be written again though it
// is what shall be there: a second fsync after one that failed may lie.
func (m *memory) mustWrite() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.again
}

// mayHaveRecovered notes a recovery that may be undone.
func (m *memory) mayHaveRecovered() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.again = true
}

// mayHaveWritten notes a change that may be undone.
func (m *memory) mayHaveWritten(generation uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unsure = true
	m.top = max(m.top, generation)
}

// noteWrite remembers what has become of a file that was to be written.
func (c *core) noteWrite(w written, err error) {
	outcome, err := unsettle(err)
	switch {
	case err == nil:
		info := Info{Version: c.chain.Newest().ID(), Generation: w.generation, Boot: w.boot, StaleBoot: c.staleBoot(w.boot)}
		c.memory.wrote(w.begun, &snapshot{payload: w.payload, info: info})
	case outcome != Unchanged:
		c.memory.mayHaveWritten(w.generation)
	}
}
