// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func publication(t *testing.T, name, text string) *Publication {
	t.Helper()
	items, diags := ParseFile(name, []byte(text))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return &Publication{Name: name, Text: []byte(text), Items: items}
}

// TestPublishKeepsAllVersionsInADirectory checks that Publish keeps comments and all
// published versions.
func TestPublishKeepsAllVersionsInADirectory(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "market")
	set := newSet(Options{}, market("m", dir))
	ctx := context.Background()
	text := "# ours\n" + oneItem + "version: 1.0.0\n"
	done, err := set.Publish(ctx, set.Declared("m"), publication(t, "some/../x.yaml", text))
	if err != nil || len(done.Places) != 1 || done.WorkTree != "" {
		t.Fatalf("%v, %v", done, err)
	}
	written, err := os.ReadFile(filepath.Join(dir, "x-1.0.0.yaml"))
	if err != nil || string(written) != text {
		t.Fatalf("%v: %s", err, written)
	}
	if done, err = set.Publish(ctx, set.Declared("m"), publication(t, "other.yaml", text)); err != nil || len(done.Places) != 0 {
		t.Errorf("publish the same items under another name: %v, %v", done, err)
	}
	changed := strings.Replace(text, "echo x", "echo y", 1)
	if _, err = set.Publish(ctx, set.Declared("m"), publication(t, "x.yaml", changed)); !Is(err, PublishedVersionDiffers) {
		t.Errorf("another content: %v", err)
	}
	if done, err = set.Publish(ctx, set.Declared("m"), publication(t, "x.yaml", strings.Replace(changed, "1.0.0", "1.0.1", 1))); err != nil || len(done.Places) != 1 {
		t.Errorf("publish the next version: %v, %v", done, err)
	}
	mixed := "- {name: a, version: '1', uri: x}\n- {name: b, version: '2', uri: x}\n"
	if _, err = set.Publish(ctx, set.Declared("m"), publication(t, "x.yaml", mixed)); !Is(err, ItemVersionMissing) {
		t.Errorf("publish two versions in one file: %v", err)
	}
	hostile := strings.Replace(text, "1.0.0", "'../../../up'", 1)
	if done, err = set.Publish(ctx, set.Declared("m"), publication(t, "x.yaml", hostile)); err != nil || filepath.Dir(done.Places[0]) != dir {
		t.Errorf("publish a version that looks like a path: %v, %v", done, err)
	}
}

// TestOneOfSeveralPublicationsSucceeds publishes different contents with the same
// version. Exactly one publication must succeed.
func TestOneOfSeveralPublicationsSucceeds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	contents := make([]string, 16)
	errs := make([]error, len(contents))
	var publishing sync.WaitGroup
	for n := range contents {
		contents[n] = strings.Replace(oneItem+"version: 1.0.0\n", "echo x", fmt.Sprint("echo ", n), 1)
		p := publication(t, "x.yaml", contents[n])
		publishing.Go(func() {
			set := newSet(Options{}, market("m", dir))
			_, errs[n] = set.Publish(context.Background(), set.Declared("m"), p)
		})
	}
	publishing.Wait()
	written, err := os.ReadFile(filepath.Join(dir, "x-1.0.0.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for n, err := range errs {
		if won := contents[n] == string(written); won != (err == nil) {
			t.Errorf("publisher %d: error %v, its text was published: %t", n, err, won)
		}
	}
}

func TestPublishWritesUntrackedFilesToAWorkTree(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- README.md --\nitems\n")
	commit(t, dir)
	set := newSet(Options{}, market("tree", "git::"+dir+"//data"), market("remote", "git::https://127.0.0.1:1/x.git"), market("file", "http://127.0.0.1:1/x.yaml"))
	p := publication(t, "x.yaml", oneItem+"version: '1'\n")
	done, err := set.Publish(context.Background(), set.Declared("tree"), p)
	if err != nil || len(done.Places) != 1 || done.Places[0] != filepath.Join(dir, "data", "x-1.yaml") || done.WorkTree != dir {
		t.Errorf("%v, %v", done, err)
	}
	if status := git(t, dir, "status", "--porcelain", "--untracked-files=all"); status != "?? data/x-1.yaml" {
		t.Errorf("git status prints %q", status)
	}
	for _, name := range []string{"remote", "file"} {
		if _, err := set.Publish(context.Background(), set.Declared(name), p); !Is(err, hclspec.CannotPublish) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
