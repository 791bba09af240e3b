package preflight

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/kubeckpt/ckpt/checkpoint/kubelet"
	"github.com/kubeckpt/ckpt/internal/quantity"
)

// mergesEviction are the releases with mergeDefaultEvictionSettings.
var mergesEviction = kubelet.Span{From: "1.33"}

// defaultEviction is the memory threshold of pkg/kubelet/apis/config/v1beta1. The
// other defaults are good, and reserve nothing that counts here.
const defaultEviction = "100Mi"

const signalMemory = "memory.available"

// evictionSignal reports whether pkg/kubelet/eviction knows a signal. All releases
// from 1.29 on know the same.
func evictionSignal(name string) bool {
	switch name {
	case signalMemory, "allocatableMemory.available", "nodefs.available", "nodefs.inodesFree", "imagefs.available",
		"imagefs.inodesFree", "containerfs.available", "containerfs.inodesFree", "pid.available":
		return true
	}
	return false
}

// checkEviction reads all thresholds of evictionHard, of which any that is bad may
// be the one that is printed, and returns the memory that they keep.
func (s *start) checkEviction() (memory quantity.Quantity, ok bool) {
	c := &s.q.Config
	if c.IgnoreEvictionThreshold {
		return memory, true
	}
	given := c.EvictionHard
	if _, has := given[signalMemory]; given == nil || !has && c.MergeDefaultEvictionSettings && mergesEviction.Has(s.release) {
		given = maps.Clone(given)
		if given == nil {
			given = map[string]string{}
		}
		given[signalMemory] = defaultEviction
	}
	ok = true
	var faults []Step
	for _, signal := range sortedKeys(given) {
		if s.q.Only != "" && signal != signalMemory {
			continue // a manager alone is given the memory, and no more
		}
		kept, err := s.evictionThreshold(signal, given[signal])
		if err != nil {
			faults = append(faults, Step{Path: "evictionHard." + signal, File: given[signal], Error: err.Error()})
		}
		if signal == signalMemory {
			memory, ok = kept, err == nil
		}
	}
	s.failOneOf(StageReservation, faults, false)
	return memory, ok
}

// evictionThreshold reads one threshold: an amount, or a share of the memory that
// the machine has.
func (s *start) evictionThreshold(signal, text string) (none quantity.Quantity, err error) {
	switch {
	case !evictionSignal(signal):
		return none, fmt.Errorf("unsupported eviction signal %s", signal)
	case text == "0%" || text == "100%":
		return none, nil
	case strings.HasSuffix(text, "%"):
		f, err := strconv.ParseFloat(strings.TrimRight(text, "%"), 32)
		share := float32(f) / 100
		switch {
		case err != nil:
			return none, err
		case share < 0:
			return none, fmt.Errorf("eviction percentage threshold %s must be >= 0%%: %s", signal, text)
		case share > 1:
			return none, fmt.Errorf("eviction percentage threshold %s must be <= 100%%: %s", signal, text)
		case share != share: // "NaN%", of which amd64 makes this number
			return quantity.New(math.MinInt64, false, quantity.BinarySI), nil
		}
		amount := float64(int64(s.q.Machine.MemoryCapacity)) * float64(share)
		return quantity.New(int64(amount), false, quantity.BinarySI), nil
	}
	q, err := quantity.Parse(text)
	switch {
	case err != nil:
		return none, err
	case q.Sign() <= 0:
		return none, fmt.Errorf("eviction threshold %s must be positive: %s", signal, q)
	}
	return q, nil
}
