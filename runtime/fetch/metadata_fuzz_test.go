// SPDX-License-Identifier: MPL-2.0

//go:build unix

package fetch

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzMetadata writes arbitrary content to a state file and a cache entry. It
// checks that invalid content is ignored, and that a reported size equals the
// file's size.
func FuzzMetadata(f *testing.F) {
	f.Add([]byte("content"), []byte(`{"address":"https://x/f","validator":"\"e\"","total":7}`))
	f.Add([]byte("content"), []byte(`{"total":-9223372036854775808}`))
	f.Add([]byte(""), []byte(`{"sha256":"../../etc/passwd"}`))
	f.Fuzz(func(t *testing.T, content, text []byte) {
		dir := t.TempDir()
		s, err := openStore(dir, 1<<20, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		name := s.partial("key")
		for file, b := range map[string][]byte{name: content, name + stateSuffix: text, s.entryName("key"): text} {
			if err := os.WriteFile(file, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if o := s.lookup("key"); o != nil && filepath.Dir((&object{s, o.Sum}).name()) != filepath.Join(dir, objectsDir) {
			t.Errorf("the entry %q leads out of the cache", o.Sum)
		}
		p, err := openPartial(t.Context(), name, func() {})
		if err != nil {
			t.Fatal(err)
		}
		defer p.close()
		if p.size != 0 && p.size != int64(len(content)) || p.state.Total < -1 {
			t.Errorf("size %d of %d, total %d", p.size, len(content), p.state.Total)
		}
	})
}
