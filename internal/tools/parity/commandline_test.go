// SPDX-License-Identifier: MPL-2.0

package parity

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// printed matches a diagnostic in the output of the openpai CLI.
var printed = regexp.MustCompile(`(?m)^(Error|Warning): .* \[([a-z0-9-]+)\]\n(?:  at (.+):(\d+):(\d+)\n)?`)

// runCommand runs openpai in the current directory. It also returns the
// complete output.
func runCommand(t *testing.T, sources hclspec.SourceMap, args ...string) ([]diagnostic, string) {
	t.Helper()
	var out, errs bytes.Buffer
	cli.Main(args, cli.NewStreams(strings.NewReader(""), &out, &errs), "")
	var all []diagnostic
	for _, m := range printed.FindAllStringSubmatch(errs.String(), -1) {
		d := diagnostic{code: m[2], severity: strings.ToLower(m[1])}
		if m[3] != "" {
			d.position = strings.Join(m[3:], ":")
			d.paths = pathsAt(sources, d.position)
		}
		all = append(all, d)
	}
	return all, out.String() + errs.String()
}

// pathsAt returns the paths of values that begin at file:line:column.
func pathsAt(sources hclspec.SourceMap, place string) []hclspec.Path {
	var at []hclspec.Path
	for _, p := range slices.Sorted(maps.Keys(sources)) {
		r := sources[p]
		if fmt.Sprintf("%s:%d:%d", r.Filename, r.Start.Line, r.Start.Column) == place {
			at = append(at, p)
		}
	}
	return at
}
