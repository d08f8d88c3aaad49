// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	"go.yaml.in/yaml/v3"
)

// The results of these functions can be much larger than the arguments.
// Therefore, [bounded] checks the estimated size of the result before each
// call.
var (
	format     = bounded(stdlib.FormatFunc, checkWidths)
	formatList = bounded(stdlib.FormatListFunc, checkWidths)
	indent     = bounded(stdlib.IndentFunc, checkIndent)
	join       = bounded(stdlib.JoinFunc, checkJoin)
	yamlDecode = bounded(ctyyaml.YAMLDecodeFunc, checkYAML)
)

var (
	errResultTooLarge = fmt.Errorf("the result would exceed %d MiB", maxValueBytes>>20)
	errYAMLTooLarge   = fmt.Errorf("the document has more than %d values after alias expansion, or is nested more than %d levels deep", maxYAMLValues, maxYAMLDepth)
)

var (
	formatVerb = regexp.MustCompile(`%[^%a-zA-Z]+`)
	digits     = regexp.MustCompile(`[0-9]+`)
)

// checkWidths limits the product of the total width in a format string and
// the length of the longest list argument.
func checkWidths(args []cty.Value) error {
	text, known := knownString(args[0])
	if !known {
		return nil
	}
	rounds := 1
	for _, v := range args[1:] {
		if v, _ = v.Unmark(); v.IsKnown() && !v.IsNull() && v.CanIterateElements() {
			rounds = max(rounds, v.LengthInt())
		}
	}
	total := 0
	for _, verb := range formatVerb.FindAllString(text, -1) {
		for _, number := range digits.FindAllString(verb, -1) {
			n, err := strconv.Atoi(number)
			if total += n; err != nil || n > maxValueBytes || total > maxValueBytes/rounds {
				return errResultTooLarge
			}
		}
	}
	return nil
}

func checkIndent(args []cty.Value) error {
	text, known := knownString(args[1])
	width, _ := args[0].Unmark()
	if !known || !width.IsKnown() || width.IsNull() {
		return nil
	}
	if width.GreaterThan(cty.NumberIntVal(int64(maxValueBytes / (1 + strings.Count(text, "\n"))))).True() {
		return errResultTooLarge
	}
	return nil
}

func checkJoin(args []cty.Value) error {
	separator, known := knownString(args[0])
	if !known {
		return nil
	}
	count := 0
	for _, v := range args[1:] {
		if v, _ = v.Unmark(); v.IsKnown() && !v.IsNull() {
			count += v.LengthInt()
		}
	}
	if len(separator)*count > maxValueBytes {
		return errResultTooLarge
	}
	return nil
}

// Limits for the argument of yamldecode, the same as for a YAML file.
const (
	maxYAMLValues = 250_000
	maxYAMLDepth  = 200
)

func checkYAML(args []cty.Value) error {
	text, known := knownString(args[0])
	if !known {
		return nil
	}
	if strings.Count(text, "[")+strings.Count(text, "{") > maxYAMLValues || strings.Count(text, "- ") > maxYAMLValues {
		return errYAMLTooLarge
	}
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return err
	}
	sizes := map[*yaml.Node]int{}
	if yamlSize(&document, sizes, 0) > maxYAMLValues {
		return errYAMLTooLarge
	}
	return nil
}

// yamlSize returns the number of values after alias expansion. It returns
// more than maxYAMLValues for a value that contains itself or is nested too
// deeply.
func yamlSize(n *yaml.Node, sizes map[*yaml.Node]int, depth int) int {
	if depth > maxYAMLDepth {
		return maxYAMLValues + 1
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if size, seen := sizes[n]; seen {
		return size
	}
	sizes[n] = maxYAMLValues + 1 // if it contains itself
	size := 1 + len(n.Value)/64  // aliases can also repeat long strings
	for _, child := range n.Content {
		size = min(size+yamlSize(child, sizes, depth+1), maxYAMLValues+1)
	}
	sizes[n] = size
	return size
}

// knownString returns the string in v, or false if v is unknown, null or not
// a string.
func knownString(v cty.Value) (string, bool) {
	v, _ = v.Unmark()
	if !v.IsKnown() || v.IsNull() || v.Type() != cty.String {
		return "", false
	}
	return v.AsString(), true
}
