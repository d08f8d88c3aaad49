// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// TestAPublishedFileIsDeleted checks that Withdraw deletes an unchanged
// published file in a directory or work tree. Withdraw must also delete a
// directory that is then empty.
func TestAPublishedFileIsDeleted(t *testing.T) {
	t.Parallel()
	text := oneItem + "version: 1.0.0\n"
	for name, prepare := range map[string]func(dir string) error{
		"directory": func(string) error { return nil },
		"work tree": func(dir string) error { return os.MkdirAll(filepath.Join(dir, ".git"), 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "market")
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			set := newSet(Options{}, market("m", dir))
			done, err := set.Publish(t.Context(), set.Declared("m"), publication(t, "x.yaml", text))
			if err != nil {
				t.Fatal(err)
			}
			withdraw := func(hash string) *Withdrawn {
				out, err := set.Withdraw(t.Context(), set.Declared("m"), done.Places[0], hash)
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			if out := withdraw(Hash([]byte("other"))); !out.Kept {
				t.Error("a file with other content was deleted")
			}
			if out := withdraw(Hash([]byte(text))); out.Kept || out.WorkTree != done.WorkTree {
				t.Errorf("%+v", out)
			}
			left, _ := filepath.Glob(filepath.Join(dir, "x-*"))
			if _, err := os.Stat(dir); len(left) > 0 || (err == nil) != (name == "work tree") {
				t.Errorf("left: %v, %v", left, err)
			}
			if out := withdraw(Hash([]byte(text))); out.Kept {
				t.Error("a missing file counts as kept")
			}
		})
	}
}

// TestAServerDeletesItemsOfTheirAuthor checks that only the author can delete an
// item. A second deletion is not an error.
func TestAServerDeletesItemsOfTheirAuthor(t *testing.T) {
	t.Parallel()
	s := newRESTServer(t)
	done, err := publishAs(t, s, "alice", publication(t, "three.yaml", threeItems))
	if err != nil || len(done.Places) != 3 {
		t.Fatalf("%+v, %v", done, err)
	}
	withdraw := func(user, place string) error {
		set := newSet(token(user), market("server", s.URL))
		_, err := set.Withdraw(context.Background(), set.Declared("server"), place, "")
		return err
	}
	if err := withdraw("bob", done.Places[0]); !Is(err, hclspec.MarketplaceNotPermitted) || !strings.Contains(err.Error(), "does not permit deleting") {
		t.Errorf("another user: %v", err)
	}
	for _, place := range []string{done.Places[0], done.Places[0], done.Places[2]} {
		if err := withdraw("alice", place); err != nil {
			t.Errorf("%s: %v", place, err)
		}
	}
	if left := s.Items(); len(left) != 1 || left[0]["name"] != "middle" {
		t.Errorf("left: %v", left)
	}
}
