// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestTheFirstExistingRevisionIsArchivedWithinLimits(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- a --\n12\n-- b/c --\n3\n")
	id := commit(t, dir)
	git(t, dir, "tag", "v1")
	for name, c := range map[string]struct {
		revisions []string
		files     int
		bytes     int64
		want      *hclspec.Entry
	}{
		"at the limits":                       {[]string{"HEAD"}, 2, 5, nil},
		"the second revision":                 {[]string{"refs/tags/1", "refs/tags/v1"}, 2, 5, nil},
		"neither revision":                    {[]string{"refs/tags/2", "refs/tags/v2"}, 2, 5, hclspec.ItemNotFound},
		"more files than the limit":           {[]string{"HEAD"}, 1, 5, hclspec.ItemTooLarge},
		"larger files than the limit":         {[]string{"HEAD"}, 2, 4, hclspec.ItemTooLarge},
		"a revision before a larger revision": {[]string{"v9", id}, 2, 4, hclspec.ItemTooLarge},
	} {
		limits := DefaultLimits
		limits.Files, limits.ListBytes = c.files, c.bytes
		to := filepath.Join(t.TempDir(), "archive")
		got, err := ArchiveRepository(t.Context(), "file://"+dir, c.revisions, to, Options{Limits: &limits})
		if c.want == nil && (err != nil || got != id) || c.want != nil && !Is(err, c.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if rest, err := os.ReadDir(filepath.Dir(to)); err != nil || c.want != nil && len(rest) > 0 || c.want == nil && len(rest) != 1 {
			t.Errorf("%s: left %v, %v", name, rest, err)
		}
	}
}
