package checkpoint

import (
	"fmt"
	"slices"
	"sync"
)

// news is what a State has told of what lasts: it is told again when it has changed,
// not at every call.
type news struct {
	mu      sync.Mutex
	reads   map[string]string // of the last reading, by what it is about
	reduced map[string]string // of the last file that was written
}

// lasts reports whether an event is about how things are, and not about something
// that was done.
func (e Event) lasts() bool {
	return e.Kind == StaleBoot || e.Kind == OlderWrote || e.Kind == DamagedForm || e.Kind == Reduced
}

// read returns the events of a reading that were not told after the one before.
func (n *news) read(r *reading) []Event {
	n.mu.Lock()
	defer n.mu.Unlock()
	return fresh(&n.reads, r.events, func(e Event) string {
		if e.Kind == StaleBoot {
			return r.info.Boot // whatever is written meanwhile
		}
		return fmt.Sprint(r.info.Generation, e.Lost, e.Err)
	})
}

// wrote returns the events of a file that were not told of the one before. With it
// the reading is out of date, but for the boot unless that was accepted.
func (n *news) wrote(w written, accept bool) []Event {
	if w.file == nil {
		return w.events
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for about := range n.reads {
		if accept || about != (Event{Kind: StaleBoot}).about() {
			delete(n.reads, about)
		}
	}
	return fresh(&n.reduced, w.events, func(e Event) string { return fmt.Sprint(e.Lost) })
}

func (e Event) about() string { return fmt.Sprintf("%s %s %s", e.Kind, e.From, e.To) }

// fresh returns the events that known does not have, and makes known what there is now.
func fresh(known *map[string]string, events []Event, text func(Event) string) []Event {
	now := map[string]string{}
	left := slices.DeleteFunc(slices.Clone(events), func(e Event) bool {
		if !e.lasts() {
			return false
		}
		now[e.about()] = text(e)
		was, ok := (*known)[e.about()]
		return ok && was == now[e.about()]
	})
	*known = now
	return left
}
