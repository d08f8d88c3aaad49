package marketplace

import (
	"context"
	"net/http"
	"path"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// itemFile is one file of items behind a URL.
type itemFile struct {
	url    string
	client *client
}

// Address implements [Source].
func (f *itemFile) Address() string { return f.url }

// Items implements [Source].
func (f *itemFile) Items(ctx context.Context, _ Query) (*Listing, error) {
	src, err := f.client.do(ctx, http.MethodGet, f.url, nil, f.client.limits.FileBytes)
	if err != nil {
		return nil, err
	}
	name := path.Base(urlPath(f.url))
	if !IsItemFile(name) {
		name += ".yaml"
	}
	if head := strings.ToLower(strings.TrimSpace(string(src[:min(len(src), 64)]))); strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html") {
		return nil, failure(hclspec.ItemNotParseable, "%s is a web page and no item file; use the address of the raw file", f.url)
	}
	l := &Listing{}
	l.AddFile(name, f.url, src)
	return l, nil
}
