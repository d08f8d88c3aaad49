// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestDigestHashesTheUncompressedContent(t *testing.T) {
	t.Parallel()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/broken":
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("some"))
		case "/data":
			if r.Header.Get("Accept-Encoding") != "identity" {
				w.Header().Set("Content-Encoding", "gzip")
				z := gzip.NewWriter(w)
				_, _ = z.Write([]byte("packed"))
				_ = z.Close()
				return
			}
			_, _ = w.Write([]byte("data"))
		default:
			http.NotFound(w, r)
		}
	})
	sum := sha256.Sum256([]byte("data"))
	if got, size, err := Digest(context.Background(), url+"/data", Options{}); err != nil || size != 4 || got != hex.EncodeToString(sum[:]) {
		t.Errorf("the digest is %s of %d bytes (%v)", got, size, err)
	}
	if _, _, err := Digest(context.Background(), url+"/broken", Options{}); !Is(err, hclspec.MarketplaceUnreachable) {
		t.Errorf("an interrupted download: %v", err)
	}
	if _, _, err := Digest(context.Background(), url+"/gone", Options{}); !Is(err, hclspec.ItemNotFound) {
		t.Errorf("a download that does not exist: %v", err)
	}
}
