// SPDX-License-Identifier: MPL-2.0

//go:build unix

package fetch

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/redirect"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

const size = 3 << 20

// patiently lists the expected pauses of a download that never succeeds
// because of transient errors.
var patiently = []time.Duration{1 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second}

func TestAFaultyServerLeavesACompleteFileOrNone(t *testing.T) {
	t.Parallel()
	sum := sumOfBody(t, size)
	half := int64(size / 2)
	for name, c := range map[string]struct {
		fault    func(n int, w http.ResponseWriter, r *http.Request) bool
		noETag   bool
		noSum    bool
		requests []string
		pauses   []time.Duration
		why      string // of a failure
	}{
		"none": {requests: []string{"GET /f"}},
		"a download is resumed after a broken connection": {
			fault: func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n == 1 {
					breakAfter(w, size, half)
				}
				return false
			},
			requests: []string{"GET /f", "GET /f bytes=1572864-"}, pauses: []time.Duration{time.Second},
		},
		"without a validator, a digest permits resuming": {
			fault: func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n == 1 {
					breakAfter(w, size, half)
				}
				return false
			},
			noETag: true, requests: []string{"GET /f", "GET /f bytes=1572864-"}, pauses: []time.Duration{time.Second},
		},
		"without a validator and a digest, the download restarts": {
			fault: func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n == 1 {
					breakAfter(w, size, half)
				}
				return false
			},
			noETag: true, noSum: true, requests: []string{"GET /f", "GET /f"}, pauses: []time.Duration{time.Second},
		},
		"a server that ignores Range sends the whole file again": {
			fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
				if n == 1 {
					breakAfter(w, size, half)
				}
				_, _ = io.Copy(w, &body{size: size})
				return true
			},
			requests: []string{"GET /f", "GET /f bytes=1572864-"}, pauses: []time.Duration{time.Second},
		},
		"a file that changed in the meantime is sent again": {
			fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
				if n == 1 {
					w.Header().Set("ETag", `"v0"`)
					w.Header().Set("Content-Length", "9999999")
					_, _ = io.WriteString(w, strings.Repeat("old", 1000))
					_ = http.NewResponseController(w).Flush()
					panic(http.ErrAbortHandler)
				}
				return false
			},
			requests: []string{"GET /f", "GET /f bytes=3000-"}, pauses: []time.Duration{time.Second},
		},
		"a flipped byte is detected and retried": {
			fault: func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n == 1 {
					_, _ = io.CopyN(w, &body{size: size}, half)
					_, _ = w.Write([]byte{255})
					_, _ = io.CopyN(w, &body{size: size, at: half + 1}, size-half-1)
				}
				return n == 1
			},
			requests: []string{"GET /f", "GET /f"}, pauses: []time.Duration{time.Second},
		},
		"a flipped byte in the existing part": {
			fault: func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n == 1 {
					w.Header().Set("Content-Length", fmt.Sprint(size))
					_, _ = w.Write([]byte{255, 255})
					_ = http.NewResponseController(w).Flush()
					panic(http.ErrAbortHandler)
				}
				return false
			},
			requests: []string{"GET /f", "GET /f bytes=2-", "GET /f"}, pauses: []time.Duration{time.Second},
		},
		"different content in each response": {
			fault:    func(n int, w http.ResponseWriter, _ *http.Request) bool { fmt.Fprint(w, n); return true },
			requests: []string{"GET /f", "GET /f", "GET /f", "GET /f"},
			pauses:   []time.Duration{time.Second, 2 * time.Second, 4 * time.Second},
			why:      "the content has the sha256 4b227777d4dd1fc61c6f884f48641d02b4d121d3fd328cb08b5531fcacdabf8a, but the declared sha256 is " + sum + "; check which of them is correct",
		},
		"the server always sends less than it announced": {
			fault: func(_ int, w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("Range") != "" {
					w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
					return true
				}
				breakAfter(w, size+1, size)
				return true
			},
			// The download makes progress only once, so the attempt count is
			// reset only once.
			requests: append(slices.Repeat([]string{"GET /f", "GET /f bytes=3145728-"}, 6), "GET /f"),
			pauses:   patiently,
			why:      "the connection broke after 3145728 bytes: unexpected EOF",
		},
		"the server sends more than it announced": {
			fault: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				w.Header().Set("Content-Length", "5")
				_, _ = io.CopyN(w, &body{size: size}, 5)
				return true
			},
			requests: []string{"GET /f", "GET /f"}, pauses: []time.Duration{time.Second}, why: "the content has the sha256 ",
		},
		"a part that was not requested": {
			fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
				switch n {
				case 1:
					breakAfter(w, size, half)
				case 2:
					w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", size-1, size))
					w.WriteHeader(http.StatusPartialContent)
					return true
				}
				return false
			},
			requests: []string{"GET /f", "GET /f bytes=1572864-", "GET /f"}, pauses: []time.Duration{time.Second},
		},
		"429 with seconds": {
			fault: func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n == 1 {
					w.Header().Set("Retry-After", "17")
					w.WriteHeader(http.StatusTooManyRequests)
				}
				return n == 1
			},
			requests: []string{"GET /f", "GET /f"}, pauses: []time.Duration{17 * time.Second},
		},
		"429 for longer than the maximum wait": {
			fault: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				w.Header().Set("Retry-After", "7200")
				w.WriteHeader(http.StatusTooManyRequests)
				return true
			},
			requests: []string{"GET /f"}, why: "the server answered 429 Too Many Requests: the requested wait of 2h0m0s exceeds the maximum of 10m0s",
		},
		"500 three times": {
			fault: func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n <= 3 {
					w.WriteHeader(http.StatusInternalServerError)
				}
				return n <= 3
			},
			requests: []string{"GET /f", "GET /f", "GET /f", "GET /f"}, pauses: []time.Duration{time.Second, 2 * time.Second, 4 * time.Second},
		},
		"503 always": {
			fault: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				w.WriteHeader(http.StatusServiceUnavailable)
				return true
			},
			requests: slices.Repeat([]string{"GET /f"}, 7), pauses: patiently, why: "the server answered 503 Service Unavailable",
		},
		"404 is not retried": {
			fault: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				w.WriteHeader(http.StatusNotFound)
				return true
			},
			requests: []string{"GET /f"}, why: "the server answered 404 Not Found; check the address",
		},
		"401 requests a credential": {
			fault: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				w.WriteHeader(http.StatusUnauthorized)
				return true
			},
			requests: []string{"GET /f"}, why: "the server answered 401 Unauthorized; set the Authorization header in auth, from a secret",
		},
		"redirects without end": {
			fault: func(_ int, w http.ResponseWriter, r *http.Request) bool {
				http.Redirect(w, r, "/f", http.StatusFound)
				return true
			},
			requests: slices.Repeat([]string{"GET /f"}, redirect.Max+1),
			why:      "the server redirected more than 10 times",
		},
		"a redirect to another protocol": {
			fault: func(_ int, w http.ResponseWriter, r *http.Request) bool {
				http.Redirect(w, r, "ftp://example.org/f", http.StatusFound)
				return true
			},
			requests: []string{"GET /f"}, why: `the server redirected to an address with the scheme "ftp"; only http and https are supported`,
		},
		"headers without end": {
			fault: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				for i := range 64 {
					w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("h", 32<<10))
				}
				return false
			},
			requests: []string{"GET /f"}, why: "the response headers exceed 1 MiB",
		},
		"a compressed transfer is not decompressed": {
			fault: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				w.Header().Set("Content-Encoding", "gzip")
				return false
			},
			requests: []string{"GET /f"},
		},
	} {
		for _, cached := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " cache ", cached), func(t *testing.T) {
				t.Parallel()
				s := newServer(t, size, c.fault)
				if c.noETag {
					s.set(func() { s.etag = "" })
				}
				cache := ""
				if cached {
					cache = t.TempDir()
				}
				dir, f := t.TempDir(), newFetcher(cache)
				request := want(s.URL+"/f", filepath.Join(dir, "f"), sum)
				if c.noSum {
					request.SHA256 = ""
				}
				err := f.Fetch(t.Context(), request)
				if c.why == "" && err != nil || c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
					t.Errorf("error %v, want %q", err, c.why)
				}
				if c.requests != nil {
					if diff := cmp.Diff(c.requests, s.asked()); diff != "" {
						t.Errorf("requests (-want +got)\n%s", diff)
					}
				}
				if c.requests != nil {
					if diff := cmp.Diff(c.pauses, f.pauses); diff != "" {
						t.Errorf("pauses (-want +got)\n%s", diff)
					}
				}
				remaining := fetched(t, dir)
				if c.why != "" && len(remaining) > 0 || c.why == "" && (len(remaining) != 1 || !fileMatches(t.Context(), left0(dir, remaining), sum)) {
					t.Errorf("left %v", remaining)
				}
				if cached && c.why != "" && len(fetched(t, filepath.Join(cache, objectsDir))) > 0 {
					t.Error("the cache contains wrong data")
				}
			})
		}
	}
}

func left0(dir string, names []string) string { return filepath.Join(dir, names[0]) }

func TestAStalledServerTimesOut(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := newServer(t, size, func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 1 {
			return false
		}
		w.Header().Set("Content-Length", fmt.Sprint(size))
		_, _ = io.CopyN(w, &body{size: size}, 1000)
		_ = http.NewResponseController(w).Flush()
		<-release
		return true
	})
	defer close(release)
	f := newFetcher("")
	f.Silence = time.Second
	to := filepath.Join(t.TempDir(), "f")
	if err := f.Fetch(t.Context(), want(s.URL, to, sumOfBody(t, size))); err != nil {
		t.Error(err)
	}
	if len(f.logged) == 0 || !strings.Contains(f.logged[0], "the connection broke after 1000 bytes: the server did not send data for 1s; attempt 2 follows in 1s") {
		t.Errorf("logged %q", f.logged)
	}
}

func TestARefusedConnectionFailsWithoutThePasswordOfTheURL(t *testing.T) {
	t.Parallel()
	s := newServer(t, 1, nil)
	url := s.URL
	s.Close()
	f := newFetcher("")
	err := f.Fetch(t.Context(), want(url+"/f?token=geheim", filepath.Join(t.TempDir(), "f"), ""))
	if err == nil || !strings.Contains(err.Error(), "the server cannot be reached: ") || strings.Contains(fmt.Sprint(err, f.logged), "geheim") || len(f.pauses) != 3 {
		t.Errorf("error %v, pauses %v, logged %q", err, f.pauses, f.logged)
	}
}

func TestADateOfChangeIsAValidatorToo(t *testing.T) {
	t.Parallel()
	s := newServer(t, size, func(n int, w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
		if n == 1 {
			breakAfter(w, size, 100)
		}
		if r.Header.Get("If-Range") != "Mon, 01 Jan 2024 00:00:00 GMT" {
			t.Errorf("If-Range %q", r.Header.Get("If-Range"))
		}
		http.ServeContent(w, r, "", time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), &body{size: size})
		return true
	})
	s.set(func() { s.etag = "" })
	if err := newFetcher("").Fetch(t.Context(), want(s.URL, filepath.Join(t.TempDir(), "f"), "")); err != nil {
		t.Error(err)
	}
	if got := s.asked(); len(got) != 2 || got[1] != "GET / bytes=100-" {
		t.Errorf("requests %q", got)
	}
}

func TestAStoppedDownloadIsContinuedLater(t *testing.T) {
	t.Parallel()
	cache, sum := t.TempDir(), sumOfBody(t, size)
	stop := errors.New("stop")
	s := newServer(t, size, nil)
	ctx, cancel := contextWithCause(t)
	fault := func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n == 1 {
			w.Header().Set("Content-Length", fmt.Sprint(size))
			_, _ = io.CopyN(w, &body{size: size}, 1<<20)
			_ = http.NewResponseController(w).Flush()
			for partialSize(cache) < 1<<20 {
				time.Sleep(time.Millisecond)
			}
			cancel(stop)
			<-r.Context().Done()
		}
		return n == 1
	}
	s.set(func() { s.fault = fault })
	to := filepath.Join(t.TempDir(), "f")
	if err := newFetcher(cache).Fetch(ctx, want(s.URL, to, sum)); !errors.Is(err, stop) {
		t.Errorf("error %v", err)
	}
	if err := newFetcher(cache).Fetch(t.Context(), want(s.URL, to, sum)); err != nil || !fileMatches(t.Context(), to, sum) {
		t.Errorf("error %v", err)
	}
	if got := s.asked(); len(got) != 2 || got[1] != "GET / bytes=1048576-" {
		t.Errorf("requests %q", got)
	}
}

func partialSize(cache string) (total int64) {
	files, _ := os.ReadDir(filepath.Join(cache, partialDir))
	for _, e := range files {
		if info, err := e.Info(); err == nil && !strings.Contains(e.Name(), stateSuffix) {
			total += info.Size()
		}
	}
	return total
}

func TestADeadServerNeedsNoServerWhenTheFileIsThere(t *testing.T) {
	t.Parallel()
	to := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(to, []byte{0, 1, 2}, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := newFetcher("").Fetch(t.Context(), runspec.Fetch{URL: "http://127.0.0.1:1/f", To: to, SHA256: sumOfBody(t, 3)}); err != nil {
		t.Error(err)
	}
}
