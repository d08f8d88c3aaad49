// SPDX-License-Identifier: MPL-2.0

package registry

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	fake "github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

func TestTheDigestOfAnImageIsLookedUp(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	server := httptest.NewServer(fake.New(fake.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	image, err := random.Image(100, 1)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := name.ParseReference(host + "/team/torch:1")
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.Write(ref, image); err != nil {
		t.Fatal(err)
	}
	want, err := image.Digest()
	if err != nil {
		t.Fatal(err)
	}
	var digests Digests = Remote{}
	if got, err := digests.Digest(context.Background(), ref.String()); err != nil || got != want.String() {
		t.Errorf("the digest is %q (%v), want %s", got, err, want)
	}
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	t.Cleanup(refusing.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for image, want := range map[string]string{
		host + "/team/torch:2": "does not contain the image",
		strings.TrimPrefix(refusing.URL, "http://") + "/team/torch": "does not permit this user to read the image",
		strings.TrimPrefix(gone.URL, "http://") + "/team/torch":     "cannot be reached",
		"Not An Image": "not a valid image reference",
	} {
		if _, err := digests.Digest(context.Background(), image); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q", image, err, want)
		}
	}
}
