// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// Maximum size in bytes and maximum duration of one download by init. The
// limits are high, because a download can be large and slow.
const (
	maxDownload  = 64 << 30
	downloadTime = time.Hour
)

// Download returns the content of a URL. It fails if the content is larger than
// limit bytes.
func Download(ctx context.Context, target string, limit int64, o Options) ([]byte, error) {
	c := newClient(target, "", o)
	c.limits.Attempt = c.limits.Total // downloading an archive can take longer than a query
	return c.do(ctx, http.MethodGet, target, nil, limit)
}

// Digest downloads a URL without storing it. It returns the SHA-256 in hex and
// the size in bytes.
func Digest(ctx context.Context, target string, o Options) (digest string, size int64, err error) {
	c := newClient(target, "", o)
	ctx, cancel := context.WithTimeout(ctx, downloadTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return "", 0, failed(InvalidMarketplaceSource, err, "%s is not a URL", target)
	}
	req.Header.Set("User-Agent", "openpai")
	// Without this header, the transport would decompress the body before Digest
	// hashes it.
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := c.http.Do(req)
	if err != nil {
		return "", 0, plain(c.unreachable(http.MethodGet, target, err))
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", 0, plain(c.refused(resp, target))
	}
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(resp.Body, maxDownload+1))
	switch {
	case err != nil:
		return "", 0, plain(c.unreachable(http.MethodGet, target, err))
	case n > maxDownload:
		return "", 0, failure(hclspec.ItemTooLarge, "%s is larger than %s", target, quantity.Bytes(maxDownload))
	}
	return hex.EncodeToString(sum.Sum(nil)), n, nil
}
