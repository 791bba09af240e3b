package main

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kubeckpt/ckpt/internal/allocresp"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	google "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

// FuzzAgainstKubelets decodes a message in both dialects.
func FuzzAgainstKubelets(f *testing.F) {
	for _, b := range vectors() {
		f.Add(b)
	}
	f.Fuzz(compare)
}

var rounds = flag.Int("rounds", 100_000, "how many random messages TestRandom compares")

// TestRandom is faster than fuzzing, and accepts more of its messages.
func TestRandom(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range *rounds {
		b := random(rnd)
		compare(t, b)
		compare(t, mutate(rnd, b))
	}
}

func compare(t *testing.T, b []byte) {
	if got, want := ask(b, allocresp.Gogo), askGogo(b); got != want {
		t.Fatalf("gogo %x:\n%s, want\n%s", b, got, want)
	}
	if got, want := ask(b, allocresp.Google), askGoogle(b); got != want {
		t.Fatalf("google %x:\n%s, want\n%s", b, got, want)
	}
	got, err := allocresp.Decode(b, allocresp.Google)
	if err != nil {
		return
	}
	unknown := slices.DeleteFunc(got.Unknown, func(f allocresp.Field) bool {
		return f.Message == "EnvsEntry" || f.Message == "AnnotationsEntry" // nobody keeps these
	})
	slices.SortFunc(unknown, byField)
	if want := unknownFields(b); !slices.Equal(unknown, want) {
		t.Fatalf("google %x: unknown fields %v, want %v", b, unknown, want)
	}
}

// ask renders as askGogo and askGoogle do.
func ask(b []byte, dialect allocresp.Dialect) string {
	r, err := allocresp.Decode(b, dialect)
	if err != nil {
		return "error " + err.Error()
	}
	c := content{envs: r.Envs, annotations: r.Annotations, cdi: r.CDIDevices}
	for _, m := range r.Mounts {
		c.mounts = append(c.mounts, mount(m.ContainerPath, m.HostPath, m.ReadOnly))
	}
	for _, d := range r.Devices {
		c.devices = append(c.devices, []string{d.ContainerPath, d.HostPath, d.Permissions})
	}
	return "ok " + c.render()
}

func byField(a, b allocresp.Field) int {
	return cmp.Or(cmp.Compare(a.Message, b.Message), cmp.Compare(a.Number, b.Number), cmp.Compare(a.Type, b.Type))
}

func unknownFields(b []byte) []allocresp.Field {
	var m google.ContainerAllocateResponse
	if err := proto.Unmarshal(b, &m); err != nil {
		panic(err)
	}
	var fields []allocresp.Field
	add := func(m protoreflect.Message) {
		for b := m.GetUnknown(); len(b) > 0; {
			number, typ, n := protowire.ConsumeField(b)
			fields = append(fields, allocresp.Field{Message: string(m.Descriptor().Name()), Number: int32(number), Type: int(typ)})
			b = b[n:]
		}
	}
	add(m.ProtoReflect())
	for _, x := range m.Mounts {
		add(x.ProtoReflect())
	}
	for _, x := range m.Devices {
		add(x.ProtoReflect())
	}
	for _, x := range m.CdiDevices {
		add(x.ProtoReflect())
	}
	slices.SortFunc(fields, byField)
	return slices.Compact(fields)
}
