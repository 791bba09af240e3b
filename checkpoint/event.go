package checkpoint

import (
	"context"
	"log/slog"

	"github.com/kubeckpt/ckpt/migrate"
)

// Info says how a State was read.
type Info struct {
	// Version is the version that decided, the one which was written last.
	Version string
	// Generation counts the writes. It is 0 for a file that the kubelet's package
	// wrote, which keeps no count.
	Generation uint64
	// Legacy: the form of the kubelet's package decided.
	Legacy bool
	// OlderWrote: a program that knows only older versions has written after one
	// that knows newer ones.
	OlderWrote bool
	// Boot is the id of the boot that the state is of, and StaleBoot says that it
	// is not the one of WithBootScope.
	Boot      string
	StaleBoot bool
	// Lost is what the newest version has no place for. If OlderWrote, it is also
	// what newer versions had said that Version cannot say, unless WithMerge has
	// brought it back; some of it may be of things that the older program has
	// removed. It is in the file still; the next Update destroys it.
	Lost []migrate.Lost
	// Damaged names forms of the state whose digest or sum does not fit, but which
	// did not decide: versions, or LegacyForm. The next Update writes them anew.
	Damaged []string
}

// LegacyForm stands for the form of the kubelet's package where versions are
// named.
const LegacyForm = "legacy"

// EventKind is a stable word for what has happened, fit for a metric's label.
type EventKind string

const (
	// Quarantined: a damaged file was renamed to Path, and the state is empty.
	Quarantined EventKind = "quarantined"
	// Restored: a damaged file was copied away, and the kept value of Path is back.
	Restored EventKind = "restored"
	// StaleBoot: the state was written in another boot.
	StaleBoot EventKind = "stale-boot"
	// OlderWrote: the older version From was written after the version To, and Lost
	// is what Info.Lost is.
	OlderWrote EventKind = "older-wrote"
	// Migrated: a state of the version From was written as To.
	Migrated EventKind = "migrated"
	// Reduced: an older version, or LegacyForm, was written beside the newest and
	// lacks Lost.
	Reduced EventKind = "reduced"
	// DamagedForm: the form From does not fit its digest, but did not decide.
	DamagedForm EventKind = "damaged-form"
)

// Event is something that an operator may want to know, though it is no error. How
// things are (StaleBoot, OlderWrote, DamagedForm, Reduced) is told once by each State,
// and again when it has changed; AcceptBoot does not tell of the boot that it ends.
type Event struct {
	Kind       EventKind
	Key        string
	Generation uint64         // of the state that was read or written
	From, To   string         // versions
	Path       string         // of a file
	Lost       []migrate.Lost // on the way From To
	Err        error          // the damage
}

// tell logs events and passes them on.
func (c *core) tell(generation uint64, events []Event) {
	for _, e := range events {
		e.Key, e.Generation = c.key, generation
		level := slog.LevelWarn
		if e.Kind == Reduced || e.Kind == Migrated {
			level = slog.LevelInfo
		}
		attrs := []slog.Attr{slog.String("event", string(e.Kind)), slog.String("key", e.Key), slog.Uint64("generation", e.Generation)}
		for _, a := range []struct{ name, text string }{{"from", e.From}, {"to", e.To}, {"path", e.Path}} {
			if a.text != "" {
				attrs = append(attrs, slog.String(a.name, a.text))
			}
		}
		if len(e.Lost) > 0 {
			attrs = append(attrs, slog.Int("lost", len(e.Lost)))
		}
		if e.Err != nil {
			attrs = append(attrs, slog.Any("error", e.Err))
		}
		c.log.LogAttrs(context.Background(), level, "checkpoint state", attrs...)
		if c.observe != nil {
			c.observe(e)
		}
	}
}
