// SPDX-License-Identifier: MPL-2.0

package lockfile

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func hash(letter string) string { return "h1:" + strings.Repeat(letter, 64) }

func full() *File {
	return &File{
		Items: []*Entry{
			{Address: "marketplace://data/b?from=team", References: []string{"marketplace://name/b", "marketplace://name/B"}, Source: `git::https://x//"a"?ref=1#b`, Version: "1.2", Hash: hash("b"), Requires: map[string]string{"tools": "marketplace://script/tools?from=team", "3d": "x"}},
			{Address: "marketplace://data/a?from=team", Source: "./a.yaml ${x}", Hash: hash("a")},
		},
		Modules: []*Module{
			{Address: "module.train", Source: "git::https://example.org/r.git//train", Version: "1.2.0", Commit: strings.Repeat("c", 40), Hash: hash("c")},
			{Address: "module.a.module.b", Source: `../"recipes" ${x}`, Hash: hash("d")},
		},
		Fetches: []*Fetch{{URL: "https://example.org/a.zip", SHA256: strings.Repeat("1", 64), Size: 1 << 40}},
		Images:  []*Image{{Reference: "busybox:1.36", Digest: "sha256:" + strings.Repeat("2", 64)}},
	}
}

func TestFileDoesNotDependOnOrder(t *testing.T) {
	t.Parallel()
	want := full().Bytes()
	for range 100 {
		f := full()
		rand.Shuffle(len(f.Items), func(i, j int) { f.Items[i], f.Items[j] = f.Items[j], f.Items[i] })
		rand.Shuffle(len(f.Modules), func(i, j int) { f.Modules[i], f.Modules[j] = f.Modules[j], f.Modules[i] })
		if !bytes.Equal(f.Bytes(), want) {
			t.Fatal("the bytes depend on the order")
		}
	}
	got, diags := Parse(Name, want)
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags, want)
	}
	expected := full()
	expected.sort()
	if diff := cmp.Diff(expected, got); diff != "" {
		t.Errorf("(-want +got)\n%s\n%s", diff, want)
	}
	if !bytes.HasSuffix(want, []byte("}\n")) || bytes.Contains(want, []byte("\n\n\n")) {
		t.Errorf("the layout is\n%s", want)
	}
}

func TestPutKeepsReferencesUnambiguous(t *testing.T) {
	t.Parallel()
	f := &File{}
	f.Put(&Entry{Address: "b", References: []string{"name", "a"}, Hash: hash("1")})
	f.Put(&Entry{Address: "a", References: []string{"name"}, Hash: hash("2")})
	f.Put(&Entry{Address: "a", References: []string{"name", "name"}, Hash: hash("3")})
	want := []*Entry{{Address: "a", References: []string{"name"}, Hash: hash("3")}, {Address: "b", References: []string{}, Hash: hash("1")}}
	if diff := cmp.Diff(want, f.Items); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if f.Item("name").Address != "a" || f.Item("c") != nil {
		t.Error("a reference leads elsewhere")
	}
}

func TestMistakesInALockFileAreErrors(t *testing.T) {
	t.Parallel()
	good := string(full().Bytes())
	for name, c := range map[string]struct{ text, want string }{
		"not HCL":                     {"item {", "Lock"},
		"conflict marks":              {"<<<<<<< ours\n" + good, ""},
		"twice":                       {good + "\nfetch \"https://example.org/a.zip\" {\n  sha256 = \"" + strings.Repeat("1", 64) + "\"\n}\n", "occurs twice in the lock file"},
		"a hash with another prefix":  {strings.Replace(good, "h1:a", "h2:a", 1), "must match the pattern"},
		"a module twice":              {good + "\nmodule \"module.train\" {\n  source = \"x\"\n  hash   = \"" + hash("c") + "\"\n}\n", "occurs twice in the lock file"},
		"a module without hash":       {"module \"module.a\" {\n  source = \"x\"\n}\n", "hash of \"module.a\""},
		"a commit of a module":        {strings.Replace(good, "\""+strings.Repeat("c", 40), "\"main", 1), "must match the pattern"},
		"no hash":                     {"item \"x\" {\n  source = \"y\"\n}\n", "hash of \"x\""},
		"a newer block":               {"provider \"x\" {}\n", "newer version"},
		"unknown argument":            {"image \"x\" {\n  digest = \"sha256:" + strings.Repeat("2", 64) + "\"\n  tag = \"y\"\n}\n", `"tag" is not a valid argument`},
		"loose argument":              {"version = 1\n", "is not allowed"},
		"an expression":               {"item \"x\" {\n  source = file(\"y\")\n  hash = \"" + hash("a") + "\"\n}\n", "must be a literal value"},
		"a number":                    {"item \"x\" {\n  source = 1\n  hash = \"" + hash("a") + "\"\n}\n", "must be a string"},
		"a size that is not a number": {"fetch \"x\" {\n  sha256 = \"" + strings.Repeat("1", 64) + "\"\n  size = -1\n}\n", "must be a nonnegative integer in bytes"},
		"no label":                    {"item {}\n", "one label"},
	} {
		_, diags := Parse(Name, []byte(c.text))
		if !diags.HasErrors() {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, d := range diags {
			if hclspec.EntryOf(d) != InvalidLockFile || d.Subject == nil {
				t.Errorf("%s: %v has no kind or no range", name, d)
			}
		}
		if c.want != "Lock" && !strings.Contains(diags.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, diags, c.want)
		}
	}
	if _, diags := Parse(Name, bytes.Repeat([]byte("#\n"), maxBytes)); len(diags) != 1 || diags[0].Severity != hcl.DiagError {
		t.Errorf("too large: %v", diags)
	}
	deep := append([]byte("a = "), bytes.Repeat([]byte("["), 300_000)...)
	if _, diags := Parse(Name, deep); len(diags) != 1 || !strings.Contains(diags[0].Detail, "500 levels deep") {
		t.Errorf("too deep: %v", diags)
	}
}

func TestErrorsAreInTheOrderOfTheFile(t *testing.T) {
	t.Parallel()
	src := []byte("a = 1\nb = 2\nc = 3\nd = 4\n")
	for range 10 { // the iteration order of maps varies
		_, diags := Parse(Name, src)
		var lines []int
		for _, d := range diags {
			lines = append(lines, d.Subject.Start.Line)
		}
		if diff := cmp.Diff([]int{1, 2, 3, 4}, lines); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(full().Bytes())
	f.Add([]byte("item \"x\" {"))
	f.Fuzz(func(t *testing.T, src []byte) {
		file, diags := Parse(Name, src)
		if diags.HasErrors() {
			return
		}
		again, diags := Parse(Name, file.Bytes())
		if diags.HasErrors() {
			t.Fatalf("an encoded document cannot be decoded: %v\n%s", diags, file.Bytes())
		}
		if !bytes.Equal(again.Bytes(), file.Bytes()) {
			t.Error("two encodings of the document differ")
		}
	})
}

func TestOnlyWebSourcesHaveALink(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"rest::https://pai.example.org/marketplace/api/items/7": "https://pai.example.org/marketplace/api/items/7",
		"https://example.org/items.yml":                         "https://example.org/items.yml",
		"git::https://u:p@x.org/r.git//dir/a.yaml?ref=12#b":     "https://x.org/r.git",
		"git::ssh://git@x.org/r.git//a.yaml":                    "",
		"./market//a.yaml":                                      "",
		"git::./market//a.yaml":                                 "",
	}
	got := map[string]string{}
	for source := range want {
		got[source] = link(source)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("links (-want +got)\n%s", diff)
	}
}
