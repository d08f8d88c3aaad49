// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shown returns the output of "marketplace show" for an item. The parameter
// file is the content of the file that defines the item.
func shown(t *testing.T, item, file string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "items.yaml"), []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, failed bytes.Buffer
	args := []string{"marketplace", "show", item, "--path", dir, "--marketplace", "team=" + dir}
	if code := Main(args, NewStreams(strings.NewReader(""), &out, &failed), ""); code != exitOK {
		t.Fatalf("exit code %d: %s", code, &failed)
	}
	return out.String()
}

// section returns the lines below a heading.
func section(output, heading string) []string {
	_, rest, _ := strings.Cut(output, "\n"+heading+"\n")
	rest, _, _ = strings.Cut(rest, "\n\n")
	return strings.Split(strings.TrimSuffix(rest, "\n"), "\n")
}

func TestAnItemShowsASharedRequirementOnce(t *testing.T) {
	t.Parallel()
	output := shown(t, "top", `
- {name: top, type: data, require: [left, right]}
- {name: left, require: [shared]}
- {name: right, require: [shared]}
- {name: shared, version: "1.0", require: [last]}
- {name: last, require: [left]}
`)
	want := []string{
		"  marketplace://script/left?from=team",
		"    marketplace://script/shared?from=team 1.0",
		"      marketplace://script/last?from=team",
		"        marketplace://script/left?from=team (cycle: it requires itself)",
		"  marketplace://script/right?from=team",
		"    marketplace://script/shared?from=team 1.0 (see above)",
	}
	if diff := cmp.Diff(want, section(output, "Requires:")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestAnItemThatBranchesWithoutEndIsShown checks that show limits its output. Each
// item requires the next item twice, so there are too many paths to print. Each item
// also doubles the length of the value that it passes on.
func TestAnItemThatBranchesWithoutEndIsShown(t *testing.T) {
	t.Parallel()
	const length = 14
	var file strings.Builder
	for n := range length {
		fmt.Fprintf(&file, `
- name: b%d
  type: data
  requireStorages: [{name: "s{{ p }}"}]
  template_variables: [{name: p, default: x}]
`, n)
		if n+1 < length {
			fmt.Fprintf(&file, "  require: [{name: b%[1]d, template_variables: {p: '{{ p }}{{ p }}0'}}, {name: b%[1]d, template_variables: {p: '{{ p }}{{ p }}1'}}]\n", n+1)
		}
	}
	output := shown(t, "b0", file.String())
	if got := len(section(output, "Requires:")); got > 2*length {
		t.Errorf("%d lines of requirements, want at most %d", got, 2*length)
	}
	storages := section(output, "Storages:")
	if got := len(storages); got > maxMountRows+1 {
		t.Errorf("%d lines of storages, want at most %d", got, maxMountRows+1)
	}
	if last := storages[len(storages)-1]; last != "  (incomplete list)" {
		t.Errorf("the last line of storages is %q, want a note about omitted storages", last)
	}
	if len(output) > 1<<20 {
		t.Errorf("%d bytes are shown", len(output))
	}
}
