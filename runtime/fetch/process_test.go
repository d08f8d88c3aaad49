// SPDX-License-Identifier: MPL-2.0

//go:build unix

package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// helperEnv is the variable that makes the test binary perform one fetch.
const helperEnv = "OPENPAI_TEST_FETCH"

type helperTask struct {
	Cache string
	Fetch runspec.Fetch
}

func TestMain(m *testing.M) {
	if text := os.Getenv(helperEnv); text != "" {
		var task helperTask
		err := json.Unmarshal([]byte(text), &task)
		if err == nil {
			f := &Fetcher{Cache: task.Cache, Log: func(s string) { fmt.Fprintln(os.Stderr, s) }}
			err = f.Fetch(context.Background(), task.Fetch)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func contextWithCause(t *testing.T) (context.Context, context.CancelCauseFunc) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	t.Cleanup(func() { cancel(nil) })
	return ctx, cancel
}

func process(t *testing.T, task helperTask) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), helperEnv+"="+string(text))
	cmd.Stderr = os.Stderr
	return cmd
}

func TestEightProcessesMakeOneDownload(t *testing.T) {
	t.Parallel()
	const tasks = 8
	for name, sum := range map[string]string{"with a digest": sumOfBody(t, size), "without one": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var waiting waits
			s := newServer(t, size, func(int, http.ResponseWriter, *http.Request) bool {
				for waiting.count.Load() < tasks-1 && t.Context().Err() == nil {
					time.Sleep(time.Millisecond)
				}
				return false
			})
			s.set(func() { s.etag = "" }) // no validator for a conditional request
			cache, dir := t.TempDir(), t.TempDir()
			var all sync.WaitGroup
			for i := range tasks {
				cmd := process(t, helperTask{cache, want(s.URL, filepath.Join(dir, fmt.Sprint(i)), sum)})
				cmd.Stderr = &waiting
				all.Go(func() {
					if err := cmd.Run(); err != nil {
						t.Errorf("task %d: %v", i, err)
					}
				})
			}
			all.Wait()
			if got := s.asked(); len(got) != 1 {
				t.Errorf("requests %q", got)
			}
			for i := range tasks {
				if !fileMatches(t.Context(), filepath.Join(dir, fmt.Sprint(i)), sumOfBody(t, size)) {
					t.Errorf("task %d has other content", i)
				}
			}
		})
	}
}

// A fetch must not compare file times with the local clock, because another
// system can set file times, and they can be one clock tick behind.
func TestWhoWaitedTakesWhatItWaitedFor(t *testing.T) {
	t.Parallel()
	reported := make(chan struct{})
	s := newServer(t, size, func(int, http.ResponseWriter, *http.Request) bool {
		<-reported
		return false
	})
	s.set(func() { s.etag = "" })
	cache, dir, start := t.TempDir(), t.TempDir(), time.Now()
	var all sync.WaitGroup
	for _, to := range []string{"a", "b"} {
		f := newFetcher(cache)
		f.Now = func() time.Time { return start.Add(time.Hour + time.Since(start)) }
		f.Log = func(string) { close(reported) }
		all.Go(func() {
			if err := f.Fetch(t.Context(), want(s.URL, filepath.Join(dir, to), "")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := s.asked(); len(got) != 1 {
		t.Errorf("requests %q", got)
	}
}

// waits counts the log messages that report a wait for another task.
type waits struct{ count atomic.Int32 }

func (w *waits) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("waits for another task")) {
		w.count.Add(1)
	}
	return len(p), nil
}

// killed kills a process during a download. The next process must resume and
// verify the download.
func killed(t *testing.T, total int64) {
	cache, sum := t.TempDir(), sumOfBody(t, total)
	s := newServer(t, total, nil)
	to := filepath.Join(t.TempDir(), "f")
	task := helperTask{cache, want(s.URL, to, sum)}
	held := make(chan struct{})
	fault := func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 1 {
			return false
		}
		w.Header().Set("Content-Length", fmt.Sprint(total))
		content := &body{size: total / 2}
		buf := make([]byte, 1<<20)
		for {
			n, err := content.Read(buf)
			if err != nil {
				break
			}
			if _, err := w.Write(buf[:n]); err != nil {
				return true
			}
		}
		_ = http.NewResponseController(w).Flush()
		for partialSize(cache) < total/2 {
			time.Sleep(time.Millisecond)
		}
		close(held)
		<-r.Context().Done()
		return true
	}
	s.set(func() { s.fault = fault })
	first := process(t, task)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	<-held
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	if len(fetched(t, filepath.Dir(to))) > 0 || len(fetched(t, filepath.Join(cache, objectsDir))) > 0 {
		t.Fatal("half of a file is visible")
	}
	if err := process(t, task).Run(); err != nil {
		t.Fatal(err)
	}
	if got := s.asked(); len(got) != 2 || got[1] != fmt.Sprintf("GET / bytes=%d-", total/2) {
		t.Errorf("requests %q", got)
	}
	if s.sentBytes() != total {
		t.Errorf("%d bytes were sent for a file of %d", s.sentBytes(), total)
	}
	if !fileMatches(t.Context(), to, sum) {
		t.Error("the file is wrong")
	}
	if remaining := fetched(t, cache); len(remaining) != 1 {
		t.Errorf("in the cache: %v", remaining)
	}
}

func TestAKilledProcessIsContinuedByTheNext(t *testing.T) {
	t.Parallel()
	killed(t, 20<<20)
}
