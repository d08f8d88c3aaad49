// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (r *rig) source(name string, content []byte) string {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		r.t.Fatal(err)
	}
	return path
}

func TestFetchCopiesRegularLocalFiles(t *testing.T) {
	t.Parallel()
	content := []byte("sepal,petal\n1,2\n")
	for name, c := range map[string]struct {
		fetch func(path string) runspec.Fetch
		want  string // file below the work directory; empty if the fetch must fail
		why   string
	}{
		"to a file": {func(p string) runspec.Fetch {
			return runspec.Fetch{URL: p, To: "data/iris.csv", SHA256: sumOf(content)}
		}, "data/iris.csv", ""},
		"a file address":   {func(p string) runspec.Fetch { return runspec.Fetch{URL: "file://" + p, To: "iris.csv"} }, "iris.csv", ""},
		"into a directory": {func(p string) runspec.Fetch { return runspec.Fetch{URL: p, To: "data/"} }, "data/source.csv", ""},
		"the sum in upper case": {func(p string) runspec.Fetch {
			return runspec.Fetch{URL: p, To: "x", SHA256: strings.ToUpper(sumOf(content))}
		}, "x", ""},
		"another sum":                {func(p string) runspec.Fetch { return runspec.Fetch{URL: p, To: "x", SHA256: sumOf(nil)} }, "", "sha256"},
		"a file that does not exist": {func(p string) runspec.Fetch { return runspec.Fetch{URL: p + "x", To: "x"} }, "", "the file does not exist"},
		"a directory":                {func(p string) runspec.Fetch { return runspec.Fetch{URL: filepath.Dir(p), To: "x"} }, "", "is not a regular file"},
		"a pipe without a writer": {func(p string) runspec.Fetch {
			_ = syscall.Mkfifo(p+".pipe", 0o600) // if Mkfifo fails, the file is missing and the test fails
			return runspec.Fetch{URL: p + ".pipe", To: "x"}
		}, "", "is not a regular file"},
		"another scheme":  {func(string) runspec.Fetch { return runspec.Fetch{URL: "ftp://host/x", To: "x"} }, "", "or an http, https, file or git:: URL"},
		"a relative path": {func(string) runspec.Fetch { return runspec.Fetch{URL: "x/y", To: "x"} }, "", "absolute path"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "true")
			r.step("data").Fetch = []runspec.Fetch{c.fetch(r.source("source.csv", content))}
			record := r.run()
			remaining, err := filepath.Glob(filepath.Join(r.config.WorkDir, "*", ".fetch*"))
			if here, _ := filepath.Glob(filepath.Join(r.config.WorkDir, ".fetch*")); err != nil || len(remaining)+len(here) > 0 {
				t.Errorf("left behind: %v %v", remaining, here)
			}
			if c.want == "" {
				if record.Code == 0 || record.Step != "prerequisite.script.data" || !strings.Contains(record.Reason, c.why) {
					t.Errorf("record %+v", record)
				}
				return
			}
			if got := r.read("work/" + c.want); got != string(content) || record.Code != 0 {
				t.Errorf("content %q, record %+v", got, record)
			}
		})
	}
}

func TestFetchComesBeforeTheCallbacksOfItsStep(t *testing.T) {
	t.Parallel()
	r := newRig(t, "cat again")
	s := r.step("data", on("taskStarts", "cp here again"))
	s.Fetch = []runspec.Fetch{{URL: r.source("f", []byte("content")), To: "here"}}
	if r.run(); r.output() != "content\n" {
		t.Errorf("output %q\n%s", r.output(), r.log())
	}
}

func TestAFailedFetchLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	r := newRig(t, "true")
	target := filepath.Join(r.config.WorkDir, "f")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.step("data").Fetch = []runspec.Fetch{{URL: r.source("f", []byte("new")), To: "f", SHA256: sumOf([]byte("other"))}}
	if record := r.run(); record.Code == 0 || r.read("work/f") != "old" {
		t.Errorf("content %q, record %+v", r.read("work/f"), record)
	}
}

func TestFilesAreFetchedOverHTTP(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch {
		case q.URL.Path == "/missing":
			w.WriteHeader(http.StatusNotFound)
		case q.Header.Get("Authorization") != "Bearer a-secret-token":
			w.WriteHeader(http.StatusUnauthorized)
		case calls.Add(1) == 1:
			w.Header().Set("Content-Length", "100") // larger than the body, so the connection breaks
			fmt.Fprint(w, "part")
		default:
			fmt.Fprint(w, "content")
		}
	}))
	defer server.Close()
	r := newRig(t, "cat f")
	r.secret("token", "a-secret-token")
	r.step("data").Fetch = []runspec.Fetch{{URL: server.URL + "/f", To: "f", Auth: "Bearer <% $secrets.token %>", Retries: 2}}
	if r.run(); r.output() != "content\n" {
		t.Errorf("output %q\n%s", r.output(), r.log())
	}
	r = newRig(t, "true")
	r.step("data").Fetch = []runspec.Fetch{{URL: server.URL + "/missing", To: "f"}}
	if record := r.run(); record.Code == 0 || !strings.Contains(record.Reason, "404") {
		t.Errorf("record %+v", record)
	}
}

func tarOf(t *testing.T, headers ...*tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		content := []byte("content of " + h.Name)
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(content))
		}
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := w.Write(content); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t *testing.T, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, n := range names {
		f, err := w.Create(n)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(n, "/") {
			if _, err := f.Write([]byte("content of " + n)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestArchivesStayInsideTheTarget(t *testing.T) {
	t.Parallel()
	reg := func(name string) *tar.Header { return &tar.Header{Name: name, Typeflag: tar.TypeReg} }
	link := func(name, to string) *tar.Header {
		return &tar.Header{Name: name, Linkname: to, Typeflag: tar.TypeSymlink}
	}
	hard := func(name, to string) *tar.Header {
		return &tar.Header{Name: name, Linkname: to, Typeflag: tar.TypeLink}
	}
	good := tarOf(t, &tar.Header{Name: "d/", Typeflag: tar.TypeDir, Mode: 0o755}, reg("d/f"), link("d/l", "f"), hard("d/h", "d/f"), reg("deep/er/f"), &tar.Header{Name: "run.sh", Typeflag: tar.TypeReg, Mode: 0o4755})
	for name, c := range map[string]struct {
		archive []byte
		files   map[string]string
		why     string
	}{
		"tar":                                  {good, map[string]string{"d/f": "content of d/f", "d/l": "content of d/f", "d/h": "content of d/f", "deep/er/f": "content of deep/er/f"}, ""},
		"tar.gz":                               {gzipped(t, good), map[string]string{"d/f": "content of d/f"}, ""},
		"zip":                                  {zipOf(t, "d/", "d/f", "x/y/z"), map[string]string{"d/f": "content of d/f", "x/y/z": "content of x/y/z"}, ""},
		"an absolute name":                     {tarOf(t, reg("/etc/evil")), nil, "outside"},
		"a name with dots":                     {tarOf(t, reg("a/../../evil")), nil, "outside"},
		"a zip with dots":                      {zipOf(t, "../evil"), nil, "outside"},
		"an absolute link":                     {tarOf(t, link("l", "/etc")), nil, "leads out"},
		"a link with dots":                     {tarOf(t, link("d/l", "../../x")), nil, "leads out"},
		"a hard link out":                      {tarOf(t, hard("h", "../x")), nil, "leads out"},
		"a file through a link to the outside": {tarOf(t, link("l", ".."), reg("l/evil")), nil, "leads out"},
		"a device":                             {tarOf(t, &tar.Header{Name: "dev", Typeflag: tar.TypeChar}), nil, "neither a file"},
		"a pipe":                               {tarOf(t, &tar.Header{Name: "fifo", Typeflag: tar.TypeFifo}), nil, "neither a file"},
		"no archive":                           {[]byte("plain text"), nil, "is not an archive"},
		"a damaged archive":                    {gzipped(t, good)[:80], nil, "unpack"},
		"two entries with the same name":       {tarOf(t, reg("f"), reg("f")), map[string]string{"f": "content of f"}, ""},
		"a file that replaces a link":          {tarOf(t, reg("f"), link("l", "f"), reg("l")), map[string]string{"l": "content of l", "f": "content of f"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "true")
			r.step("data").Fetch = []runspec.Fetch{{URL: r.source("archive", c.archive), To: "out", Extract: true, SHA256: sumOf(c.archive)}}
			record := r.run()
			if (record.Code == 0) != (c.why == "") || !strings.Contains(record.Reason, c.why) {
				t.Errorf("record %+v", record)
			}
			for file, want := range c.files {
				if got := r.read("work/out/" + file); got != want {
					t.Errorf("%s: %q", file, got)
				}
			}
			if _, err := os.Lstat(filepath.Join(r.config.WorkDir, "evil")); err == nil {
				t.Error("a file was written outside")
			}
			if info, err := os.Stat(filepath.Join(r.config.WorkDir, "out", "run.sh")); err == nil && info.Mode() != 0o755 {
				t.Errorf("mode %v", info.Mode())
			}
		})
	}
}

// TestADownloadIsResumedAfterTheRuntimeIsKilled checks that the next attempt resumes and
// verifies the download. The killed attempt must not leave a visible file.
func TestADownloadIsResumedAfterTheRuntimeIsKilled(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("0123456789abcdef"), 64<<10)
	half, begun := len(content)/2, make(chan struct{})
	var mu sync.Mutex
	var ranges []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		ranges = append(ranges, q.Header.Get("Range"))
		n := len(ranges)
		mu.Unlock()
		w.Header().Set("ETag", `"v1"`)
		if n > 1 {
			http.ServeContent(w, q, "", time.Time{}, bytes.NewReader(content))
			return
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		_, _ = w.Write(content[:half])
		_ = http.NewResponseController(w).Flush()
		close(begun)
		<-q.Context().Done()
	}))
	defer server.Close()
	r := newRig(t, "cksum < f")
	r.step("data").Fetch = []runspec.Fetch{{URL: server.URL + "/f", To: "f", SHA256: sumOf(content)}}
	first := r.process()
	<-begun
	part := filepath.Join(r.config.WorkDir, ".fetch-"+sumOf(content))
	for info, err := os.Stat(part); err != nil || info.Size() < int64(half); info, err = os.Stat(part) {
		time.Sleep(time.Millisecond)
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	if _, err := os.Stat(filepath.Join(r.config.WorkDir, "f")); err == nil {
		t.Error("half of the file is visible")
	}
	r.config.PodUID = "another"
	if err := r.process().Wait(); err != nil || !strings.HasSuffix(r.output(), fmt.Sprint(len(content), "\n")) {
		t.Errorf("%v, output %q\n%s", err, r.output(), r.log())
	}
	mu.Lock()
	defer mu.Unlock()
	if want := []string{"", fmt.Sprintf("bytes=%d-", half)}; !slices.Equal(ranges, want) {
		t.Errorf("ranges %q, want %q", ranges, want)
	}
	if remaining, err := filepath.Glob(filepath.Join(r.config.WorkDir, ".fetch*")); err != nil || len(remaining) > 0 {
		t.Errorf("left behind: %v", remaining)
	}
}

// TestCredentialsOfAFetchAreInNoLog checks that no log contains the secret or the
// credentials in the URL of a successful or failed fetch.
func TestCredentialsOfAFetchAreInNoLog(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/good" {
			fmt.Fprint(w, "content")
			return
		}
		w.WriteHeader(http.StatusBadGateway)
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	for _, path := range []string{"/good", "/bad"} {
		r := newRig(t, "true")
		r.secret("token", "a-secret-token")
		r.step("data").Fetch = []runspec.Fetch{{
			URL: "http://ada:hidden-password@" + host + path + "?signature=hidden-signature", To: "f", Auth: "Bearer <% $secrets.token %>",
		}}
		record := r.run()
		if (record.Code == 0) != (path == "/good") || record.Code != 0 && !strings.Contains(record.Reason, server.URL+"/bad?...: the server answered 502 Bad Gateway") {
			t.Errorf("record %+v", record)
		}
		for _, hidden := range []string{"hidden-", "a-secret-token", "ada"} {
			if all := r.read("logs/runtime.log") + r.stderr.String() + r.read("record.json"); strings.Contains(strings.ReplaceAll(all, r.dir, ""), hidden) {
				t.Errorf("%q is in\n%s", hidden, all)
			}
		}
	}
}

func TestAStopEndsAFetch(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		close(begun)
		<-q.Context().Done()
	}))
	defer server.Close()
	r := newRig(t, "true")
	r.step("data").Fetch = []runspec.Fetch{{URL: server.URL + "/f", To: "f"}}
	go func() {
		<-begun
		r.signals <- syscall.SIGTERM
	}()
	if record := r.run(); !record.Stopped || record.Step != "prerequisite.script.data" {
		t.Errorf("record %+v", record)
	}
}

func TestFetchChecksOutTheRefOfARepository(t *testing.T) {
	t.Parallel()
	r := newRig(t, "cat tree/f")
	for _, args := range [][]string{{"init", "-q"}, {"add", "f"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "f"}, {"tag", "v1"}} {
		if args[0] == "add" {
			r.source("repository/f", []byte("content\n"))
		}
		cmd := exec.Command("git", append([]string{"-C", filepath.Join(r.dir, "repository")}, args...)...)
		if args[0] == "init" {
			cmd = exec.Command("git", "init", "-q", filepath.Join(r.dir, "repository"))
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	step := r.step("data")
	step.Fetch = []runspec.Fetch{{URL: "git::" + r.dir + "/repository?ref=v1", To: "tree"}}
	if r.run(); r.output() != "content\n" {
		t.Errorf("output %q\n%s", r.output(), r.log())
	}
	step.Fetch[0].URL, r.config.PodUID = "git::"+r.dir+"/repository?ref=v2", "another"
	if record := r.run(); record.Code == 0 || !strings.Contains(record.Reason, "remote ref refs/tags/v2") {
		t.Errorf("record %+v", record)
	}
}
