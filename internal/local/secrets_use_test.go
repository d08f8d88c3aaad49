// SPDX-License-Identifier: MPL-2.0

package local

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

func TestSecretValuesAreNowhereButInTheStore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const canary = "kanarienvogel-8472"
	role := newRole("worker", `echo "the token is <% $secrets.token %>"; exit 4`)
	role.Secrets = []string{"token"}
	job := newJob("canary", role)
	if _, err := w.SecretKey(w.ctx, "team"); err != nil {
		t.Fatal(err)
	}
	if err := w.Create(w.ctx, submission(job, map[string]string{"token": canary})); err != nil {
		t.Fatal(err)
	}
	w.finished(job)
	if got := w.output(job, "worker", 0); !strings.Contains(got, "the token is ***") {
		t.Errorf("output %q", got)
	}
	found := 0
	err := filepath.WalkDir(string(w.layout), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasPrefix(name, w.layout.Programs()) {
			return err
		}
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the supervisor has just moved the file into place
		}
		if err != nil {
			return err
		}
		inStore := strings.HasPrefix(name, w.layout.Secrets()+"/")
		if bytes.Contains(text, []byte(canary)) {
			found++
			if !inStore {
				t.Errorf("%s contains the value", name)
			}
		}
		if info, err := d.Info(); inStore && (err != nil || info.Mode().Perm() != 0o600) && d.Name() != "lock" {
			t.Errorf("%s has mode %v, error %v", name, info.Mode(), err)
		}
		return nil
	})
	if err != nil || found != 1 {
		t.Errorf("%d files hold the value, error %v", found, err)
	}
	if info, err := os.Stat(w.layout.Secrets()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the store has mode %v, error %v", info.Mode(), err)
	}
}

func TestTheKeyIsMadeOncePerWorkspace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if s, err := w.Read(w.ctx, "team", nil); err != nil || s.SecretKey != nil {
		t.Fatalf("key %x before it was created, error %v", s.SecretKey, err)
	}
	first, err := w.SecretKey(w.ctx, "team")
	if err != nil || len(first) != store.KeySize {
		t.Fatalf("key %x, error %v", first, err)
	}
	again, err := w.SecretKey(w.ctx, "team")
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("key %x became %x, error %v", first, again, err)
	}
	other, err := w.SecretKey(w.ctx, "other team")
	if err != nil || bytes.Equal(first, other) {
		t.Errorf("two workspaces have the same key, error %v", err)
	}
	if s, err := w.Read(w.ctx, "team", nil); err != nil || !bytes.Equal(s.SecretKey, first) {
		t.Errorf("read %x, error %v", s.SecretKey, err)
	}
}
