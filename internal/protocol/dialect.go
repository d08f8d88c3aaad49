package protocol

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// The two readers of OpenPAI, js-yaml 3.13 in the rest-server and PyYAML in
// the container, follow YAML 1.1; the parser used here follows 1.2 in what
// matters below.
var (
	oldTrue     = regexp.MustCompile(`^(y|Y|yes|Yes|YES|on|On|ON)$`)
	oldFalse    = regexp.MustCompile(`^(n|N|no|No|NO|off|Off|OFF)$`)
	octal       = regexp.MustCompile(`^[-+]?0[0-7_]+$`)
	newOctal    = regexp.MustCompile(`^0o[0-7]+$`)
	sexagesimal = regexp.MustCompile(`^[-+]?[0-9]+(:[0-5]?[0-9])+(\.[0-9]*)?$`)
)

func plain(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Style == 0 }

// oldBoolean reads the words that are booleans in YAML 1.1 only.
func oldBoolean(n *yaml.Node) (value, ok bool) {
	if !plain(n) {
		return false, false
	}
	return oldTrue.MatchString(n.Value), oldTrue.MatchString(n.Value) || oldFalse.MatchString(n.Value)
}

// otherReading says how YAML 1.1 reads a free value that is text, or another
// number, here; "" when both agree. The single letters y and n are left out:
// both readers of OpenPAI take them for text.
func otherReading(n *yaml.Node) string {
	if !plain(n) {
		return ""
	}
	switch {
	case len(n.Value) > 1 && (oldTrue.MatchString(n.Value) || oldFalse.MatchString(n.Value)):
		return "a boolean in YAML 1.1"
	case octal.MatchString(n.Value):
		return "an octal number in YAML 1.1"
	case newOctal.MatchString(n.Value):
		return "an octal number in YAML 1.2 only"
	case sexagesimal.MatchString(n.Value):
		return "a number to the base 60 in YAML 1.1"
	case n.ShortTag() == "!!int" || n.ShortTag() == "!!float":
		if !hclspec.Number(n.Value).InJSON() {
			return "a number in a spelling that only YAML has, and that OpenPAI prints in another one"
		}
	}
	return ""
}

// parseInteger reads a whole number of 32 bits. reading is set when YAML 1.1
// and 1.2 differ.
func parseInteger(n *yaml.Node) (value int, reading string, ok bool) {
	if n.Kind != yaml.ScalarNode || n.Style&^yaml.TaggedStyle != 0 && n.ShortTag() == "!!str" {
		return 0, "", false
	}
	text := strings.ReplaceAll(n.Value, "_", "")
	switch {
	case plain(n) && sexagesimal.MatchString(n.Value) && !strings.Contains(text, "."):
		value, ok = base60(text)
		return value, "is " + otherReading(n), ok
	case n.ShortTag() != "!!int" && n.ShortTag() != "!!float":
		return 0, "", false
	}
	if parsed, err := strconv.ParseInt(text, 0, 32); err == nil {
		if octal.MatchString(n.Value) && text != "0" {
			reading = "is " + otherReading(n)
		}
		return int(parsed), reading, true
	}
	float, err := strconv.ParseFloat(text, 64)
	if err != nil || float != math.Trunc(float) || math.Abs(float) > math.MaxInt32 {
		return 0, "", false
	}
	return int(float), "", true
}

func base60(text string) (int, bool) {
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
