package checkpoint

import "sync"

// memory is what a State knows without looking at the file.
type memory struct {
	mu     sync.Mutex
	last   *snapshot // what is known to be durable; nil: nothing
	top    uint64    // the highest generation seen
	unsure bool      // the last change may not be durable

	tickets uint64 // given out
	noted   uint64 // the ticket of last
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

// ticket is taken before a file is read: what began to be read earlier does not
// take the place of what was read or written later.
func (m *memory) ticket() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tickets++
	return m.tickets
}

// read notes what a file said; nil stands for none. What may not be durable is not
// remembered.
func (m *memory) read(ticket uint64, s *snapshot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s != nil {
		m.top = max(m.top, s.info.Generation)
	}
	if !m.unsure && ticket > m.noted {
		m.last, m.noted = s, ticket
	}
}

// wrote notes what is durable; nil stands for a file that was removed.
func (m *memory) wrote(s *snapshot, generation uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tickets++
	m.last, m.noted, m.unsure = s, m.tickets, false
	m.top = max(m.top, generation)
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
	switch {
	case err == nil:
		info := Info{Version: c.chain.Newest().ID(), Generation: w.generation, Boot: c.boot}
		c.memory.wrote(&snapshot{payload: w.payload, info: info}, w.generation)
	case outcomeOf(err) != Unchanged:
		c.memory.mayHaveWritten(w.generation)
	}
}
