package quantity

import "reflect"

// PrintedNames returns, for each type a dump of a Quantity mentions, the name
// under which the kubelet's dump prints it. With these names substituted, the
// dump of a Quantity equals that of the resource.Quantity decoded from the same
// JSON. (big.Int and big.nat are the standard library's in both.)
func PrintedNames() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[Quantity]():     "resource.Quantity",
		reflect.TypeFor[Format]():       "resource.Format",
		reflect.TypeFor[int64Amount]():  "resource.int64Amount",
		reflect.TypeFor[scale]():        "resource.Scale",
		reflect.TypeFor[infDecAmount](): "resource.infDecAmount",
		reflect.TypeFor[decimal]():      "inf.Dec",
		reflect.TypeFor[decimalScale](): "inf.Scale",
	}
}
