package allocresp

// The wire types, the lower three bits of a tag.
const (
	varint     = 0
	fixed64    = 1
	lenPrefix  = 2
	startGroup = 3
	endGroup   = 4
	fixed32    = 5
)

// decoder collects a Response.
type decoder struct {
	response Response
	seen     map[Field]bool // in response.Unknown
	spare    int            // bytes of text that map entries may still take
}

// record is a decoded message of the lower level: each has at most three strings
// and one bool.
type record struct {
	texts [3]string // by number-1
	flag  bool
}

// add puts a record where its field of the response belongs.
func (d *decoder) add(number int32, r record) {
	switch t := r.texts; number {
	case envs:
		put(&d.response.Envs, t[0], t[1])
	case mounts:
		d.response.Mounts = append(d.response.Mounts, Mount{t[0], t[1], r.flag})
	case devices:
		d.response.Devices = append(d.response.Devices, Device{t[0], t[1], t[2]})
	case annotations:
		put(&d.response.Annotations, t[0], t[1])
	case cdiDevices:
		d.response.CDIDevices = append(d.response.CDIDevices, t[0])
	}
}

func put(m *map[string]string, key, value string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[key] = value
}

// skipped notes a field that has no place in the response.
func (d *decoder) skipped(m *message, number int32, wire uint64) {
	f := Field{m.name, number, int(wire & 7)}
	if !d.seen[f] {
		d.seen[f] = true
		d.response.Unknown = append(d.response.Unknown, f)
	}
}

// reader is a position in a message.
type reader struct {
	data string
	pos  int
	base int // offset of data in the outermost message
}

// sub returns a reader of the bytes from here to end.
func (r *reader) sub(end int) reader {
	return reader{data: r.data[r.pos:end], base: r.base + r.pos}
}

func (r *reader) more() bool { return r.pos < len(r.data) }

func (r *reader) fail(text string) error {
	return &Error{Text: text, Offset: r.base + r.pos}
}
