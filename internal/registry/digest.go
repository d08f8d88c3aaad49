// SPDX-License-Identifier: MPL-2.0

package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// patience is the time limit for one request to a registry.
const patience = 30 * time.Second

// Digests looks up the digest of an image, such as "sha256:...".
type Digests interface {
	Digest(ctx context.Context, image string) (string, error)
}

// Remote looks up digests in the registry of each image reference.
type Remote struct {
	// Transport sends the requests. nil means the default transport.
	Transport http.RoundTripper
}

// Digest implements [Digests]. The text of its error is a clause without a
// full stop.
func (r Remote) Digest(ctx context.Context, image string) (string, error) {
	ref, err := name.ParseReference(image)
	if err != nil {
		return "", fmt.Errorf("%q is not a valid image reference", image)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	options := []remote.Option{remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)}
	if r.Transport != nil {
		options = append(options, remote.WithTransport(r.Transport))
	}
	found, err := remote.Head(ref, options...)
	if err != nil {
		return "", fmt.Errorf("the registry %s %w", ref.Context().RegistryStr(), said(err))
	}
	return found.Digest.String(), nil
}

// ErrMissing means that the registry does not contain the image.
var ErrMissing = errors.New("does not contain the image")

// said rephrases an error. The result completes a sentence that begins with
// the name of the registry.
func said(err error) error {
	var answer *transport.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("did not respond in time")
	case !errors.As(err, &answer):
		return fmt.Errorf("cannot be reached: %w", err)
	}
	switch answer.StatusCode {
	case http.StatusNotFound:
		return ErrMissing
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Errorf("does not permit this user to read the image (status %d)", answer.StatusCode)
	}
	return fmt.Errorf("responds with status %d", answer.StatusCode)
}
