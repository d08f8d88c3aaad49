// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestPrivateSessionsWorkInAnyDirectory(t *testing.T) {
	t.Parallel()
	for name, below := range map[string]string{
		"in a short directory": "d",
		"in a long directory":  strings.Repeat("long/", 40) + "d",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), below)
			if runtime.GOOS != "linux" && len(dir) > maxSocketPath {
				t.Skip("only Linux supports sockets with long paths")
			}
			if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
				t.Fatal(err)
			}
			if _, err := DialPrivate(t.Context(), dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("without a server: %v", err)
			}
			s, err := ListenPrivate(dir, rand.Reader, Options{
				Dir: t.TempDir(), Shell: "/bin/sh", Start: startChild, Log: func(string) {}, Environ: os.Environ,
			})
			if err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(dir)
			if err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("the directory: %v, %v", info.Mode(), err)
			}
			client, err := DialPrivate(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			session, err := client.NewSession()
			if err != nil {
				t.Fatal(err)
			}
			if out, err := session.Output("echo $((6*7))"); err != nil || string(out) != "42\n" {
				t.Errorf("%q, %v", out, err)
			}
			s.Close(time.Second)
			if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the directory still exists: %v", err)
			}
		})
	}
}
