// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// bomb returns nested values: each value contains the previous value nine times.
func bomb(first, last string, one func(i int) string) string {
	var b strings.Builder
	b.WriteString(first)
	for i := 1; i < 20; i++ {
		b.WriteString(one(i))
	}
	return b.String() + last
}

func nine(format string, i int) string {
	return strings.TrimSuffix(strings.Repeat(fmt.Sprintf(format, i-1)+",", 9), ",")
}

func nested() string { return strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) }

const (
	yamlHead = "protocolVersion: 2\nname: a\ntype: job\n"
	megabyte = 1 << 20
)

// hostile returns files that could block a reader or exhaust memory.
func hostile() map[string]string {
	pad := strings.Repeat("x", megabyte)
	return map[string]string{
		"bomb.yaml": bomb(yamlHead+"parameters:\n  a0: &a0 [x]\n", "  pad: "+pad+"\n", func(i int) string {
			return fmt.Sprintf("  a%d: &a%d [%s]\n", i, i, nine("*a%d", i))
		}),
		"bomb.pai.hcl": bomb("locals {\n  a0 = [1]\n", "  pad = \""+pad+"\"\n}\n", func(i int) string {
			return fmt.Sprintf("  a%d = [%s]\n", i, nine("local.a%d", i))
		}),
		"bomb.pai.hcl.json": bomb(`{"locals": {"a0": [1], `, `"pad": "`+pad+`"}}`, func(i int) string {
			return fmt.Sprintf(`"a%d": [%s], `, i, nine(`"${local.a%d}"`, i))
		}),
		"nested.yaml":         yamlHead + "parameters: {a: " + nested() + "}\n",
		"nested.pai.hcl":      "locals {\n  a = " + nested() + "\n}\n",
		"nested.pai.hcl.json": `{"locals": {"a": ` + nested() + "}}",
		"open.yaml":           strings.Repeat("[", 2*megabyte),
		"open.pai.hcl":        strings.Repeat("[", 2*megabyte),
		"open.pai.hcl.json":   strings.Repeat("[", 2*megabyte),
		"lines.yaml":          yamlHead + "description: |\n" + strings.Repeat("  a line\n", 100_000),
		"lines.pai.hcl":       "locals {\n  a = <<EOT\n" + strings.Repeat("a line\n", 100_000) + "EOT\n}\n",
		"lines.pai.hcl.json":  `{"locals": {"a": "` + strings.Repeat(`a line\n`, 100_000) + `"}}`,
		"large.yaml":          yamlHead + "description: " + strings.Repeat("x", 5*megabyte) + "\n",
		"large.pai.hcl":       "locals {\n  a = \"" + strings.Repeat("x", 5*megabyte) + "\"\n}\n",
		"large.pai.hcl.json":  `{"locals": {"a": "` + strings.Repeat("x", 5*megabyte) + `"}}`,
		"list.yaml":           yamlHead + "parameters: {a: [" + strings.Repeat("1,", 490_000) + "1]}\n",
		"list.pai.hcl":        "locals {\n  a = [" + strings.Repeat("1,", 490_000) + "1]\n}\n",
		"list.pai.hcl.json":   `{"locals": {"a": [` + strings.Repeat("1,", 490_000) + "1]}}",
		"most.pai.hcl":        "locals {\n  a = [" + strings.Repeat("1,", 99_000) + "1]\n}\n",
		"most.pai.hcl.json":   `{"locals": {"a": [` + strings.Repeat("1,", 99_000) + "1]}}",
		"most.yaml":           yamlHead + "parameters: {a: [" + strings.Repeat("1,", 190_000) + "1]}\n",
		"names.yaml": yamlHead + "prerequisites: [{name: " + pad + ", type: script}]\n" +
			"taskRoles: {w: {dockerImage: " + strings.Repeat("y", megabyte) + ", prerequisites: [" + strings.Repeat("z", megabyte) + "]}}\n",
		"lists.pai.hcl": "locals {\n" + strings.Repeat("x = 1\n", 300_000) + "}\n",
	}
}

// allocated returns the total number of bytes allocated so far, an upper bound
// on the memory in use.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// measuredLoad counts the bytes allocated during Load, including allocations by
// the test framework. The race detector increases the count, because it drops
// pooled objects.
func measuredLoad(path string) (used uint64, loaded *Loaded, diags hcl.Diagnostics) {
	before := allocated()
	loaded, diags = Load(Options{Path: path})
	return allocated() - before, loaded, diags
}

// TestHostileFilesEndWithinTheirLimits checks that Load returns and stays within
// the memory limit. It does not run in parallel with other tests, because it
// measures memory. A file passes if at least one of up to three measurements is
// within the limit.
func TestHostileFilesEndWithinTheirLimits(t *testing.T) {
	const limit = 512 * megabyte
	dir := t.TempDir()
	for name, text := range hostile() {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		used, loaded, diags := measuredLoad(path)
		for try := 1; used > limit && try < 3; try++ {
			used, loaded, diags = measuredLoad(path)
		}
		if used > limit {
			t.Errorf("%s: allocated %d MB", name, used/megabyte)
		}
		wanted := !strings.HasPrefix(name, "most.p")
		if diags.HasErrors() != wanted || loaded == nil {
			t.Errorf("%s: errors %t, want %t: %v", name, diags.HasErrors(), wanted, diags)
		}
	}
}
