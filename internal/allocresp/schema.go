package allocresp

// message describes a message type: its fields, the first of which has number 1.
type message struct {
	name   string
	entry  bool // of a map: key and value
	fields []field
}

type field struct {
	name string // in Go, which is how the kubelet's errors name it
	kind kind
	of   *message // if kind is nested
}

type kind int

const (
	text   kind = iota // string
	flag               // bool
	nested             // repeated message or map entry
)

// The numbers of responseMessage's fields.
const (
	envs = 1 + iota
	mounts
	devices
	annotations
	cdiDevices
)

var (
	responseMessage = message{name: "ContainerAllocateResponse", fields: []field{
		envs - 1:        {"Envs", nested, &envsEntry},
		mounts - 1:      {"Mounts", nested, &mountMessage},
		devices - 1:     {"Devices", nested, &deviceMessage},
		annotations - 1: {"Annotations", nested, &annotationsEntry},
		cdiDevices - 1:  {"CDIDevices", nested, &cdiDeviceMessage},
	}}
	mountMessage = message{name: "Mount", fields: []field{
		{name: "ContainerPath"}, {name: "HostPath"}, {name: "ReadOnly", kind: flag},
	}}
	deviceMessage = message{name: "DeviceSpec", fields: []field{
		{name: "ContainerPath"}, {name: "HostPath"}, {name: "Permissions"},
	}}
	cdiDeviceMessage = message{name: "CDIDevice", fields: []field{{name: "Name"}}}

	envsEntry        = message{name: "EnvsEntry", entry: true, fields: entryFields}
	annotationsEntry = message{name: "AnnotationsEntry", entry: true, fields: entryFields}
	entryFields      = []field{{name: "Key"}, {name: "Value"}}
)

// field returns the field of that number, or nil.
func (m *message) field(number int32) *field {
	if number < 1 || int(number) > len(m.fields) {
		return nil
	}
	return &m.fields[number-1]
}
