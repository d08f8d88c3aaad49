// SPDX-License-Identifier: MPL-2.0

package debian

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// Package is one version of a package for one architecture.
type Package struct {
	// Path is the path in an archive ("pool/main/b/busybox/…_amd64.deb").
	Path   string
	SHA256 string
}

// Archive is a source of packages.
type Archive struct {
	// Mirrors are the base URLs of the archive's mirrors; Fetch tries them in
	// order.
	Mirrors []string
	// Cache is a directory for downloads. "" disables the cache.
	Cache string
}

const (
	// patience is the time limit for one download from a mirror.
	patience = time.Minute
	// maxSize is the maximum size of a package, in bytes. The packages that this
	// project downloads are much smaller.
	maxSize = 64 << 20
)

// Fetch returns the content of a package after verifying its digest. It uses
// the proxy settings of the environment.
func (a Archive) Fetch(ctx context.Context, p Package) ([]byte, error) {
	var kept string
	if a.Cache != "" {
		kept = filepath.Join(a.Cache, path.Base(p.Path))
		if text, err := os.ReadFile(kept); err == nil && p.check(text) == nil {
			return text, nil
		}
	}
	text, err := a.download(ctx, p)
	if err != nil || kept == "" {
		return text, err
	}
	if err := os.MkdirAll(a.Cache, 0o755); err != nil {
		return nil, fmt.Errorf("keep %s: %w", path.Base(p.Path), err)
	}
	return text, atomicfile.Write(kept, text, 0o644)
}

// download tries the mirrors in order. The error contains the errors of all
// mirrors.
func (a Archive) download(ctx context.Context, p Package) ([]byte, error) {
	failed := []error{fmt.Errorf("fetch the Debian package %s", path.Base(p.Path))}
	for _, mirror := range a.Mirrors {
		// Some servers decode a plus sign as a space.
		address := strings.TrimSuffix(mirror, "/") + "/" + strings.ReplaceAll(p.Path, "+", "%2B")
		text, err := get(ctx, address)
		if err == nil {
			err = p.check(text)
		}
		if err == nil {
			return text, nil
		}
		failed = append(failed, fmt.Errorf("  %s: %w", address, err))
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errors.Join(failed...)
}

func get(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		if wrapped := new(url.Error); errors.As(err, &wrapped) {
			err = wrapped.Err // without repeating the URL
		}
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, errors.New(resp.Status)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxSize+1))
	if err == nil && len(text) > maxSize {
		err = fmt.Errorf("the server sent more than %s", quantity.Bytes(maxSize))
	}
	return text, err
}

// check verifies the digest.
func (p Package) check(text []byte) error {
	sum := sha256.Sum256(text)
	if got := hex.EncodeToString(sum[:]); got != p.SHA256 {
		return fmt.Errorf("the SHA-256 of the content is %s; expected %s", got, p.SHA256)
	}
	return nil
}
