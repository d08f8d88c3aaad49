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

// patience bounds one question to a registry.
const patience = 30 * time.Second

// Digests finds the digest of an image, "sha256:...".
type Digests interface {
	Digest(ctx context.Context, image string) (string, error)
}

// Remote asks the registry that the reference of an image names.
type Remote struct {
	// Transport makes the requests; nil is the usual one.
	Transport http.RoundTripper
}

// Digest implements [Digests]. The error is a clause without a full stop.
func (r Remote) Digest(ctx context.Context, image string) (string, error) {
	ref, err := name.ParseReference(image)
	if err != nil {
		return "", fmt.Errorf("%q is no reference of an image", image)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	options := []remote.Option{remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)}
	if r.Transport != nil {
		options = append(options, remote.WithTransport(r.Transport))
	}
	found, err := remote.Head(ref, options...)
	if err != nil {
		return "", fmt.Errorf("the registry %s %s", ref.Context().RegistryStr(), said(err))
	}
	return found.Digest.String(), nil
}

// said puts an answer of a registry into words.
func said(err error) string {
	var answer *transport.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "did not answer in time"
	case !errors.As(err, &answer):
		return "cannot be reached: " + err.Error()
	}
	switch answer.StatusCode {
	case http.StatusNotFound:
		return "does not have it"
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Sprintf("does not show it to this user (status %d)", answer.StatusCode)
	}
	return fmt.Sprintf("answers with status %d", answer.StatusCode)
}
