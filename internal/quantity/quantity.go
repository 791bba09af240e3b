// Package quantity reads and writes Kubernetes resource quantities ("500m",
// "1536Mi", "1e3") as a kubelet does when it restores and stores a checkpoint.
//
// It exists because the quantity is part of what the kubelets 1.29 to 1.31 hash:
// they dump the Go struct behind it, cached text included. So decoding has to
// fill the same fields with the same values as k8s.io/apimachinery's
// resource.Quantity, not only to mean the same number:
//
//	text       i              d.Dec               s        Format
//	"500m"     {500 -3}       nil                 "500m"   DecimalSI
//	"0.5"      {5 -1}         nil                 ""       DecimalSI
//	"1Gi"      {1<<30 0}      nil                 "1Gi"    BinarySI
//	"1.5Gi"    {0 0}          {1536<<20*1e9, 9}   ""       BinarySI
//	"1e3"      {1 3}          nil                 "1e3"    DecimalExponent
//	null       {0 0}          nil                 as was   as was
//
// What is promised, for every input: the same decision, error text, struct and
// re-encoded JSON as resource.Quantity of apimachinery 0.29 to 0.37, on a machine
// with the same word size. The one exception is [ErrTooLarge].
//
// The only arithmetic is [Quantity.Add], which reservations need.
package quantity

// Format is the family of suffixes which a quantity was written with, and is
// written with again.
type Format string

const (
	DecimalExponent Format = "DecimalExponent" // 12e6
	BinarySI        Format = "BinarySI"        // 12Mi
	DecimalSI       Format = "DecimalSI"       // 12M
)

// Quantity is a decimal number and the way it was written. The zero value is 0,
// and what a JSON null in a map decodes to.
//
// Names, order and nesting of the fields are hashed: see [PrintedNames].
type Quantity struct {
	i      int64Amount  // the amount, unless d.Dec is set
	d      infDecAmount // the amount where int64Amount is too narrow
	s      string       // the text, where decoding found it to be canonical already
	Format Format       // read it, but leave it as decoded
}

// int64Amount is value·10^scale.
type int64Amount struct {
	value int64
	scale scale
}

type scale int32

type infDecAmount struct {
	Dec *decimal
}

// isZero reports whether q is 0, whatever its exponent.
func (q Quantity) isZero() bool {
	if q.d.Dec != nil {
		return q.d.Dec.unscaled.Sign() == 0
	}
	return q.i.value == 0
}
