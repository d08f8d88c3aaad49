// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"fmt"
	"math"
)

// parameters converts plugin parameters to values that JSON supports.
func parameters(input map[string]any) (map[string]any, error) {
	out, err := normalize("parameters", input)
	if err != nil {
		return nil, err
	}
	return out.(map[string]any), nil
}

// normalize converts the keys of a value to strings, and rejects NaN and
// infinity.
func normalize(name string, value any) (any, error) {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, element := range v {
			var err error
			if out[key], err = normalize(name+"."+key, element); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[any]any:
		named := make(map[string]any, len(v))
		for key, element := range v {
			named[fmt.Sprint(key)] = element
		}
		return normalize(name, named)
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			var err error
			if out[i], err = normalize(fmt.Sprintf("%s[%d]", name, i), element); err != nil {
				return nil, err
			}
		}
		return out, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%s must be a finite number", name)
		}
	}
	return value, nil
}
