package fastsum

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/kubeckpt/ckpt/checksum"
)

// Document is what a plan is compiled from: one format of a file.
type Document struct {
	// Fresh is what a file is decoded into, a pointer to a struct. It holds
	// what an absent member leaves.
	Fresh any
	Names checksum.Names
	// Sums, at most MaxSums of them.
	Sums []Sum
	// Inner lists the types of the document within a summed string, newest
	// first: releases write more or fewer members into it.
	Inner []reflect.Type
	// Leaves are types that decode themselves from a JSON string.
	Leaves map[reflect.Type]Leaf
	// Transparent types decode themselves, but as their fields and tags say.
	Transparent map[reflect.Type]bool
	// Weigh, if set, is given every string and key that holds a comma or a plus
	// sign, or begins and ends with a digit and has no letter. If what it returns comes to more
	// than MaxWeight, the document is refused.
	Weigh     func(text []byte) int
	MaxWeight int
}

const (
	MaxSums  = 2 // that a document may store
	MaxHeads = 2 // of one sum
)

// Algorithm is how a sum is computed.
type Algorithm int

const (
	Dump Algorithm = iota // FNV-1a over the dump of a struct
	Text                  // FNV-1a over the dump of a string
	CRC                   // CRC-32 over the bytes of a string
)

// Sum is one sum that a document stores.
type Sum struct {
	Field     string // JSON name of the number
	Algorithm Algorithm
	// Of is the struct that is dumped: the document's own type or an embedded
	// one, by pointer, in which Field counts as 0; or the type of a member.
	Of reflect.Type
	// Heads are one to MaxHeads printed types that the dump may begin with.
	Heads []string
	// Member is the JSON name of the string, unless a dump is summed.
	Member string
}

// Leaf is a type whose JSON is a string without escapes.
type Leaf struct {
	// Valid reports whether text decodes. It may say no out of caution.
	Valid func(text []byte) bool
	// Dump appends the dump of the value, without its type; nil: the type never
	// occurs in a dump.
	Dump func(dst, text []byte) ([]byte, bool)
	// Few: the same texts come again and again, so their dumps are kept.
	Few bool
}

// Plan sums documents of one format. It is safe for concurrent use.
type Plan struct {
	doc   Document
	light *program
	seen  atomic.Int64 // bytes
	once  sync.Once
	full  atomic.Pointer[program]
}

// program is a compiled document.
type program struct {
	members []member
	single  bool   // no sum has a second head
	last    string // name of the last member, which is a sum
}

// earned is how many bytes a plan sums before it builds its tables: to build
// them takes as long as to sum a tenth of that byte by byte.
const earned = 64 << 10

// Compile returns the plan of a document. What it cannot foresee (interfaces,
// types that decode themselves) makes the plan refuse documents in which that
// occurs; an error means that it would refuse all.
func Compile(doc Document) (*Plan, error) {
	light, err := compile(doc, false)
	if err != nil {
		return nil, err
	}
	return &Plan{doc: doc, light: light}, nil
}

// program returns what to run on the next n bytes.
func (p *Plan) program(n int) *program {
	if full := p.full.Load(); full != nil {
		return full
	}
	if p.seen.Add(int64(n)) < earned {
		return p.light
	}
	p.once.Do(func() {
		if full, err := compile(p.doc, true); err == nil {
			p.full.Store(full)
		}
	})
	if full := p.full.Load(); full != nil {
		return full
	}
	return p.light
}

// member is one member of the outermost object.
type member struct {
	name     string // with quotes and colon
	optional bool
	absent   fragment // what is summed where an optional member is not there

	begins int // the dump that begins here; -1: none
	ends   int // the dump that ends here
	seed   sums
	closes bool // the dump ends in a brace that is not the member's own

	node   *node    // summed in the dump
	stored int      // the sum whose number this is
	zero   fragment // for which the dump has this
	limit  uint64   // of the number
	text   int      // the sum over this string
	crc    bool
	inner  []*node
}

func compile(doc Document, tables bool) (*program, error) {
	fresh := reflect.ValueOf(doc.Fresh)
	if fresh.Kind() != reflect.Pointer || fresh.Elem().Kind() != reflect.Struct || len(doc.Sums) > MaxSums {
		return nil, fmt.Errorf("fastsum: no document: %T", doc.Fresh)
	}
	c := &compiler{doc: &doc, tables: tables, built: map[string]fragment{}}
	p := &program{single: true}
	for _, s := range doc.Sums {
		p.single = p.single && len(s.Heads) < 2
	}
	fields, ok := flatten(fresh.Elem().Type())
	if !ok || len(fields) == 0 {
		return nil, fmt.Errorf("fastsum: the members of %T are not what its fields say", doc.Fresh)
	}
	for _, f := range fields {
		m := member{name: `"` + f.name + `":`, optional: f.optional, begins: -1, ends: -1, stored: -1, text: -1}
		if err := c.member(&m, f, fields, fresh.Elem().FieldByIndex(f.index)); err != nil {
			return nil, err
		}
		p.members = append(p.members, m)
	}
	last := p.members[len(p.members)-1]
	if last.stored < 0 || last.optional {
		return nil, fmt.Errorf("fastsum: the last member of %T is no sum", doc.Fresh)
	}
	p.last = last.name
	return p, nil
}
