// SPDX-License-Identifier: MPL-2.0

package local

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

func TestADirectoryHasOneOwner(t *testing.T) {
	t.Parallel()
	c, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	data := &hclspec.Storage{Name: "data", HostPath: "data"}
	create := func() (bool, error) { return c.CreateStorage(t.Context(), data) }
	steps := []struct {
		what    string
		do      func() (bool, error)
		created bool
		err     error
	}{
		{"a directory that does not exist is created", create, true, nil},
		{"another owner is refused", create, false, cluster.ErrStorageTaken},
		{"a killed creation is continued", func() (bool, error) {
			dir := filepath.Join(c.dir, "data")
			err := store.WriteJSON(c.layout.StorageFile(dir), createdStorage{Address: data.Address(), Directory: dir, Creating: true})
			if err != nil {
				return false, err
			}
			return create()
		}, true, nil},
		{"a directory that disappeared is created again", func() (bool, error) {
			if err := os.Remove(filepath.Join(c.dir, "data")); err != nil {
				return false, err
			}
			return create()
		}, true, nil},
		{"an abandoned directory exists before", func() (bool, error) {
			if err := c.ReleaseStorage(t.Context(), data); err != nil {
				return false, err
			}
			return create()
		}, false, nil},
		{"a directory that was removed is created", func() (bool, error) {
			if err := c.RemoveStorage(t.Context(), data); err != nil {
				return false, err
			}
			return create()
		}, true, nil},
	}
	for _, s := range steps {
		if created, err := s.do(); created != s.created || !errors.Is(err, s.err) {
			t.Errorf("%s: %v, %v", s.what, created, err)
		}
	}
}
