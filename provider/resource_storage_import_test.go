// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"
)

// TestAnImportedStorageKeepsItsOwner imports a storage into another state and
// destroys the imported resource. The storage must remain.
func TestAnImportedStorageKeepsItsOwner(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		imported tree // declaration in the state that imports the storage
		end      func(*instance) string
		want     string
	}{
		"destroyed": {
			tree{"on_destroy": "delete"},
			func(i *instance) string { return i.applyPlanned(i.planFrom(nil, i.state, i.private)) },
			"warning: The storage was kept",
		},
		"destroyed, and declared with on_destroy = keep": {
			tree{"on_destroy": "keep"},
			func(i *instance) string { return i.applyPlanned(i.planFrom(nil, i.state, i.private)) },
			"",
		},
		"replaced by another directory": {
			tree{"on_destroy": "delete"},
			func(i *instance) string {
				_, text := i.apply(tree{"name": "data", "host_path": "other", "on_destroy": "delete"})
				return text
			},
			"warning: The storage was kept",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			owner := start(t, dir).resource("openpai_storage")
			owner.mustApply(tree{"name": "data", "host_path": "data", "on_destroy": "delete"}, "create")

			other := start(t, dir).resource("openpai_storage")
			if text := other.importID(owner.text("definition")); text != "" {
				t.Fatal(text)
			}
			tt.imported["name"], tt.imported["host_path"] = "data", "data"
			if _, text := other.apply(tt.imported); text != "" {
				t.Fatal(text)
			}
			if text := tt.end(other); !strings.HasPrefix(text, tt.want) || tt.want == "" && text != "" {
				t.Errorf("%s", text)
			}

			third := start(t, dir).resource("openpai_storage")
			if action, text := third.apply(tree{"name": "data", "host_path": "data"}); action != "error" || !strings.Contains(text, "belongs to another resource") {
				t.Errorf("the storage has lost its owner: %s %s", action, text)
			}
			if text := owner.applyPlanned(owner.planFrom(nil, owner.state, owner.private)); text != "" || isDirectory(dir+"/data") {
				t.Errorf("the owner destroys the storage: %s", text)
			}
		})
	}
}

func TestADirectoryOfAnotherStorageIsRefusedByItsPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, dir).resource("openpai_storage").mustApply(tree{"name": "data", "host_path": "shared"}, "create")

	action, text := start(t, dir).resource("openpai_storage").apply(tree{"name": "other", "host_path": "shared"})
	for _, want := range []string{`AttributeName("host_path")`, `The directory "shared" exists and belongs to another openpai_storage`, "choose another directory"} {
		if action != "error" || !strings.Contains(text, want) {
			t.Errorf("%s, want %q\n%s", action, want, text)
		}
	}
}
