// SPDX-License-Identifier: MPL-2.0

package check

import (
	"errors"
	"strings"
	"testing"

	"github.com/distribution/reference"
)

var references = []string{
	"ubuntu", "ubuntu:18.04", "openpai/standard:python_3.6-pytorch_1.2.0-gpu", "a/b:V1.0-GPU", "a/b@sha256:" + strings.Repeat("0a", 32),
	"a/b:1@sha256:" + strings.Repeat("0a", 32), "localhost/x/y", "localhost:5000/x", "ghcr.io/a/b", "index.docker.io/a", "docker.io/library/a",
	"[2001:db8::1]:5000/a:b", "REG/a", "Reg.example/a", "a//b", "a/", "/a", "", "A/b", "a:B", "a/B", "a__b", "a___b", "a--b", "a.-b", "a..b", "a:" + strings.Repeat("x", 129),
	strings.Repeat("a", 300), strings.Repeat("ab", 32), "a@sha256:1", "a@md5:" + strings.Repeat("a", 32), "a@sha512:" + strings.Repeat("a", 128), "a b", "-a/b", "a.b:port/c", "x.y:80/c:80",
	"a@sha256:" + strings.Repeat("0A", 32), "example.com./a", "a:b:c", "a@b@c", "xn--n3h.com/a", "a/ä", "registry.example_x/a", strings.Repeat("g", 300) + ".io/a", "ghcr.io/" + strings.Repeat("a", 255), "ghcr.io/" + strings.Repeat("a", 256),
}

// parseImage must accept the same names as github.com/distribution/reference.
func TestImageNamesAreThoseOfTheReference(t *testing.T) {
	t.Parallel()
	for _, text := range references {
		compare(t, text)
	}
}

func FuzzParseImage(f *testing.F) {
	for _, text := range references {
		f.Add(text)
	}
	f.Fuzz(compare)
}

func compare(t *testing.T, text string) {
	t.Helper()
	got, err := parseImage(text)
	named, wantErr := reference.ParseNormalizedNamed(text)
	if wantErr == nil && reference.Domain(named) == "" {
		wantErr = errors.New("the library treats the registry as part of the path, and returns no registry")
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%q: error %v, the library returns %v", text, err, wantErr)
	}
	if err != nil {
		return
	}
	want := image{reference.Domain(named), reference.Path(named), "latest"}
	if tagged, ok := named.(reference.Tagged); ok {
		want.version = tagged.Tag()
	}
	if d, ok := named.(reference.Digested); ok {
		want.version = d.Digest().String()
	}
	if got != want {
		t.Fatalf("%q: %+v, want %+v", text, got, want)
	}
}
