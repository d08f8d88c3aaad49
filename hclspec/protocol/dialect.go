// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// OpenPAI has two parsers: js-yaml 3.13 in the rest-server and PyYAML in the
// container. Both follow YAML 1.1. The parser of this package follows YAML 1.2
// for the values below.
var (
	yaml11True  = regexp.MustCompile(`^(y|Y|yes|Yes|YES|on|On|ON)$`)
	yaml11False = regexp.MustCompile(`^(n|N|no|No|NO|off|Off|OFF)$`)
	yaml11Octal = regexp.MustCompile(`^[-+]?0[0-7_]+$`)
	yaml12Octal = regexp.MustCompile(`^0o[0-7]+$`)
	sexagesimal = regexp.MustCompile(`^[-+]?[0-9]+(:[0-5]?[0-9])+(\.[0-9]*)?$`)
)

func isPlain(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Style == 0 }

// yaml11Bool reports whether a scalar is a bool only in YAML 1.1.
func yaml11Bool(n *yaml.Node) bool {
	return isPlain(n) && (yaml11True.MatchString(n.Value) || yaml11False.MatchString(n.Value))
}

// yaml11Reading describes the YAML 1.1 value of a scalar. It returns "" if the
// value is the same in YAML 1.2. It ignores the single letters y and n, because
// both parsers of OpenPAI read them as strings.
func yaml11Reading(n *yaml.Node) string {
	if !isPlain(n) {
		return ""
	}
	switch {
	case len(n.Value) > 1 && (yaml11True.MatchString(n.Value) || yaml11False.MatchString(n.Value)):
		return "a boolean in YAML 1.1"
	case yaml11Octal.MatchString(n.Value):
		return "an octal number in YAML 1.1"
	case yaml12Octal.MatchString(n.Value):
		return "an octal number in YAML 1.2 only"
	case sexagesimal.MatchString(n.Value):
		return "a base-60 number in YAML 1.1"
	case n.ShortTag() == "!!int" || n.ShortTag() == "!!float":
		if !hclspec.Number(n.Value).InJSON() {
			return "a number in a YAML-only notation that OpenPAI prints differently"
		}
	}
	return ""
}

// parseInteger parses a 32-bit integer. If YAML 1.1 and 1.2 read different
// numbers, reading describes the notation, such as "is an octal number in
// YAML 1.1".
func parseInteger(n *yaml.Node) (value int, reading string, ok bool) {
	if n.Kind != yaml.ScalarNode || n.Style&^yaml.TaggedStyle != 0 && n.ShortTag() == "!!str" {
		return 0, "", false
	}
	text := strings.ReplaceAll(n.Value, "_", "")
	switch {
	case isPlain(n) && sexagesimal.MatchString(n.Value) && !strings.Contains(text, "."):
		value, ok = parseSexagesimal(text)
		return value, "is " + yaml11Reading(n), ok
	case n.ShortTag() != "!!int" && n.ShortTag() != "!!float":
		return 0, "", false
	}
	if parsed, err := strconv.ParseInt(text, 0, 64); err == nil {
		if yaml11Octal.MatchString(n.Value) && text != "0" {
			reading = "is " + yaml11Reading(n)
		}
		return int(parsed), reading, true
	}
	float, err := strconv.ParseFloat(text, 64)
	if err != nil || float != math.Trunc(float) || math.Abs(float) > maxExact {
		return 0, "", false
	}
	return int(float), "", true
}

// maxExact is the largest integer that JavaScript, and therefore OpenPAI, reads
// exactly.
const maxExact = 1<<53 - 1

func parseSexagesimal(text string) (int, bool) {
	sign, total := 1, 0
	if strings.HasPrefix(text, "-") {
		sign = -1
	}
	for _, part := range strings.Split(strings.TrimLeft(text, "+-"), ":") {
		n, err := strconv.Atoi(part)
		if err != nil || total > math.MaxInt32/60 {
			return 0, false
		}
		total = total*60 + n
	}
	return sign * total, total <= math.MaxInt32
}

// javaScriptNumber returns a number as JavaScript prints it. For other
// scalars, it returns "". Source: ECMA-262, Number::toString.
func javaScriptNumber(n *yaml.Node) string {
	if n.ShortTag() != "!!int" && n.ShortTag() != "!!float" {
		return ""
	}
	value, err := strconv.ParseFloat(n.Value, 64)
	if err != nil {
		return ""
	}
	if size := math.Abs(value); value == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(value+0, 'f', -1, 64) // -0 prints as 0
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(value, 'e', -1, 64), "e")
	return digits + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}
