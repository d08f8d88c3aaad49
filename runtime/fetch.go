//go:build unix

package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// exitFetch is what a download that failed counts as.
const exitFetch = 1

// fetchOne brings one file to its place: beside it under another name first,
// then checked, then moved (or unpacked), so that what is at the place is
// whole.
func (t *task) fetchOne(ctx context.Context, step *runspec.Step, f *runspec.Fetch) outcome {
	resolved, err := t.resolveFetch(f)
	if err != nil {
		return failed(exitFetch, "failed: %v", err)
	}
	t.launched = true
	rule := &runspec.Retry{Attempts: 1 + f.Retries, BackoffSeconds: 1}
	out := t.retried(ctx, rule, label(step, "fetch of "+f.URL), func() outcome {
		if err := fetch(ctx, t.stop.requested, resolved); err != nil {
			return failed(exitFetch, "failed: %v", err)
		}
		return outcome{}
	})
	if out.ok() {
		t.log.info("fetched " + f.URL + " to " + f.To)
	}
	return out
}

// resolveFetch fills in secrets and makes the target absolute.
func (t *task) resolveFetch(f *runspec.Fetch) (r runspec.Fetch, err error) {
	r = *f
	for _, s := range []*string{&r.URL, &r.To, &r.Auth} {
		if *s, err = t.secrets.render(*s, t.env.lookup); err != nil {
			return r, err
		}
	}
	if !filepath.IsAbs(r.To) {
		r.To = t.WorkDir + "/" + r.To // a slash at the end means a directory
	}
	return r, nil
}

var errStopped = errors.New("the task was asked to stop")

// fetch downloads and places one file. A request to stop ends it.
func fetch(ctx context.Context, stop <-chan struct{}, f runspec.Fetch) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-stop:
			cancel(errStopped)
		case <-ctx.Done():
		}
	}()
	body, name, err := openSourceURL(ctx, f)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	if f.Extract {
		return fetchArchive(ctx, body, name, f)
	}
	return fetchFile(ctx, body, name, f)
}

func fetchFile(ctx context.Context, body io.Reader, name string, f runspec.Fetch) error {
	target := f.To
	info, err := os.Stat(target)
	if strings.HasSuffix(f.To, "/") || err == nil && info.IsDir() {
		target = filepath.Join(target, name)
	}
	if f.SHA256 != "" && fileHas(target, f.SHA256) {
		return nil
	}
	tmp, err := download(ctx, body, filepath.Dir(target), f.SHA256)
	if err != nil {
		return err
	}
	if err := os.Rename(tmp, target); err != nil {
		_ = os.Remove(tmp)
		return err
	}
	return nil
}

func fetchArchive(ctx context.Context, body io.Reader, name string, f runspec.Fetch) error {
	tmp, err := download(ctx, body, f.To, f.SHA256)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp) }()
	if err := extract(ctx, tmp, f.To); err != nil {
		return fmt.Errorf("unpack %s: %w", name, err)
	}
	return nil
}

// download copies to a new file in dir, checks the sum and returns the name.
func download(ctx context.Context, body io.Reader, dir, sum string) (name string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.CreateTemp(dir, ".fetch.*.tmp")
	if err != nil {
		return "", err
	}
	defer func() {
		err = errors.Join(err, tmp.Close())
		if err != nil {
			_ = os.Remove(tmp.Name())
		}
	}()
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(tmp, hash), untilDone{ctx, body}); err != nil {
		return "", err
	}
	if got := hex.EncodeToString(hash.Sum(nil)); sum != "" && !strings.EqualFold(got, sum) {
		return "", fmt.Errorf("the content has the sha256 %s, but %s is declared", got, sum)
	}
	return tmp.Name(), tmp.Chmod(0o644)
}

// fileHas reports whether the file exists with that sum.
func fileHas(name, sum string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	return err == nil && strings.EqualFold(hex.EncodeToString(hash.Sum(nil)), sum)
}

// untilDone is a reader that ends with the context.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := context.Cause(u.ctx); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// openSourceURL opens a path, a file:// or an http(s):// address and returns
// the last part of its path with it.
func openSourceURL(ctx context.Context, f runspec.Fetch) (io.ReadCloser, string, error) {
	if filepath.IsAbs(f.URL) {
		file, err := openRegular(f.URL)
		return file, filepath.Base(f.URL), err
	}
	u, err := url.Parse(f.URL)
	if err != nil {
		return nil, "", errors.New("the address cannot be read")
	}
	switch u.Scheme {
	case "file":
		file, err := openRegular(u.Path)
		return file, filepath.Base(u.Path), err
	case "http", "https":
		body, err := httpBody(ctx, u, f.Auth)
		return body, baseOf(u), err
	}
	return nil, "", fmt.Errorf("%q is neither an absolute path nor a file, http or https address", f.URL)
}

func openRegular(name string) (io.ReadCloser, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = file.Close()
		return nil, errors.Join(err, fmt.Errorf("%s is not a file", name))
	}
	return file, nil
}

func baseOf(u *url.URL) string {
	base := filepath.Base(u.Path)
	if base == "." || base == "/" {
		return u.Hostname()
	}
	return base
}
