package render

import "strconv"

// size writes bytes in the unit that suits them: "13.50 GiB", "512 MiB", "0".
func size(n uint64) text {
	units := []struct {
		shift  uint
		name   text
		digits int
	}{{60, "EiB", 2}, {50, "PiB", 2}, {40, "TiB", 2}, {30, "GiB", 2}, {20, "MiB", 0}, {10, "KiB", 0}}
	for _, u := range units {
		if u.name == "TiB" && n < 10<<40 {
			continue // memory of nodes is spoken of in GiB
		}
		if n>>u.shift > 0 {
			digits := u.digits
			if digits == 0 && n&(1<<u.shift-1) != 0 {
				digits = 2
			}
			return text(strconv.FormatFloat(float64(n)/float64(uint64(1)<<u.shift), 'f', digits, 64)) + " " + u.name
		}
	}
	if n == 0 {
		return "0"
	}
	return text(strconv.FormatUint(n, 10)) + " B"
}

func exact(n uint64) text { return text(strconv.FormatUint(n, 10)) }
