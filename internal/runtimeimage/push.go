// SPDX-License-Identifier: MPL-2.0

package runtimeimage

import (
	"context"
	"fmt"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// Push uploads an index. It uses the logins in the local docker configuration. It
// returns a reference with the digest of the index.
func Push(ctx context.Context, reference string, index v1.ImageIndex) (string, error) {
	ref, err := name.ParseReference(reference)
	if err != nil {
		return "", fmt.Errorf("push the runtime image: %w", err)
	}
	if err := remote.WriteIndex(ref, index, options(ctx)...); err != nil {
		return "", fmt.Errorf("push the runtime image to %s: %w", reference, err)
	}
	digest, err := index.Digest()
	if err != nil {
		return "", fmt.Errorf("push the runtime image: %w", err)
	}
	return ref.Context().Digest(digest.String()).String(), nil
}

// Pull reads a multi-architecture base image.
func Pull(ctx context.Context, reference string) (v1.ImageIndex, error) {
	ref, err := name.ParseReference(reference)
	if err != nil {
		return nil, fmt.Errorf("read the base image: %w", err)
	}
	index, err := remote.Index(ref, options(ctx)...)
	if err != nil {
		return nil, fmt.Errorf("read the base image %s: %w", reference, err)
	}
	return index, nil
}

func options(ctx context.Context) []remote.Option {
	return []remote.Option{remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)}
}
