// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestARevisionIsResolvedToItsCommit(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- data/x.yaml --\n"+oneItem)
	first := commit(t, dir)
	git(t, dir, "tag", "v1")
	git(t, dir, "tag", "--annotate", "--message=two", "v2")
	git(t, dir, "branch", "old/main")
	if err := os.WriteFile(filepath.Join(dir, "data", "x.yaml"), []byte(oneItem+"version: '2'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	second := commit(t, dir)
	git(t, dir, "tag", "--annotate", "--message=three", "v3")
	git(t, dir, "branch", "v1")
	unknown := strings.Repeat("0", 40)
	for revisions, want := range map[string]string{
		"HEAD": second, "main": second, "refs/heads/main": second, "old/main": first, "v1": first, "v2": first, "v3": second,
		"refs/tags/9 refs/tags/v3": second, "v9": "", "heads": "", first: first, unknown: unknown,
	} {
		got, err := Commit(t.Context(), "file://"+dir, strings.Fields(revisions), Options{})
		if err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", revisions, got, err, want)
		}
	}
	if _, err := Commit(t.Context(), "file://"+dir+"/nothing", []string{"HEAD"}, Options{}); !Is(err, hclspec.MarketplaceUnreachable) {
		t.Errorf("error %v", err)
	}
}
