// SPDX-License-Identifier: MPL-2.0

package metrics

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
)

// Limits for the values of a task. The exit record must fit into a termination
// message of 4,096 bytes.
const (
	// MaxNames is the maximum number of names.
	MaxNames = 16
	// MaxBytes is the maximum size of the values as JSON, in bytes.
	MaxBytes = 768
)

// Values maps each name to its last value.
type Values map[string]float64

var namePattern = regexp.MustCompile(`^[A-Za-z0-9_./-]{1,64}$`)

// Parse parses lines of the form {"name": value}. A line may contain several names.
// Parse returns the last valid value of each valid name. It keeps at most
// [MaxNames] names and [MaxBytes] bytes. It omits later names that do not fit. It
// ignores other lines, invalid names and invalid values.
func Parse(text []byte) Values {
	all := Values{}
	var order []string
	for line := range bytes.Lines(text) {
		var pairs map[string]json.RawMessage
		if json.Unmarshal(line, &pairs) != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(pairs)) {
			value, ok := number(pairs[name])
			if !ok || !namePattern.MatchString(name) {
				continue
			}
			if _, known := all[name]; !known {
				if len(order) == MaxNames {
					continue
				}
				order = append(order, name)
			}
			all[name] = value
		}
	}
	return all.bounded(order)
}

func number(text json.RawMessage) (float64, bool) {
	var n *float64
	if json.Unmarshal(text, &n) != nil || n == nil {
		return 0, false
	}
	return *n, !math.IsInf(*n, 0) && !math.IsNaN(*n)
}

// bounded adds values in the given order. It skips a value if the encoded
// size would exceed MaxBytes. It returns nil if no value fits.
func (v Values) bounded(order []string) Values {
	var kept Values
	size := len("{}")
	for _, name := range order {
		pair := len(Values{name: v[name]}.Encode()) - len("{}") + len(",")
		if size+pair-len(",") > MaxBytes {
			continue
		}
		if kept == nil {
			kept = Values{}
		}
		kept[name] = v[name]
		size += pair
	}
	return kept
}

// Clean removes values that [Parse] cannot return. Callers use Clean for values
// that another program may have written. Clean returns nil if no values remain.
func (v Values) Clean() Values {
	var order []string
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if namePattern.MatchString(name) && !math.IsInf(v[name], 0) && !math.IsNaN(v[name]) && len(order) < MaxNames {
			order = append(order, name)
		}
	}
	return v.bounded(order)
}

// Without returns the values that contain no secrets. A task may have written
// a secret as a name or a number. Without therefore omits a value if mask
// changes its name or its number.
func (v Values) Without(mask func(string) string) Values {
	var kept Values
	for name, value := range v {
		if text := string((Values{name: value}).Encode()); mask(name) != name || mask(text) != text {
			continue
		}
		if kept == nil {
			kept = Values{}
		}
		kept[name] = value
	}
	return kept
}

// Encode returns the values as JSON on one line, sorted by name.
func (v Values) Encode() []byte {
	text, err := json.Marshal(map[string]float64(v))
	if err != nil {
		panic("metrics: " + err.Error()) // the values are finite
	}
	return text
}

// keyword is the prefix of a log message that contains values. marker
// identifies the log line: "[Mon Feb 1 02:54:48 UTC 2021] [openpai-runtime]
// [INFO] metrics {...}".
const (
	keyword = "metrics "
	marker  = "] [openpai-runtime] [INFO] " + keyword + "{"
)

// Text returns the values as a message for the runtime's log.
func (v Values) Text() string { return keyword + string(v.Encode()) }

// IsLine reports whether a log line contains values.
func IsLine(line []byte) bool {
	return bytes.HasPrefix(line, []byte("[")) && bytes.Contains(line, []byte(marker))
}

// ParseLine returns the values in a log line. ok reports whether the line is
// a valid metrics line. The values are untrusted, because any program may
// have written the line.
func ParseLine(line []byte) (v Values, ok bool) {
	if !IsLine(line) {
		return nil, false
	}
	_, text, _ := bytes.Cut(line, []byte(marker))
	if json.Unmarshal(append([]byte("{"), text...), &v) != nil {
		return nil, false
	}
	return v.Clean(), true
}
