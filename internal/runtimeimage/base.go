// SPDX-License-Identifier: MPL-2.0

package runtimeimage

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/runtimeimage/debian"
)

// MirrorVariable is the environment variable that contains the URL of a
// Debian mirror.
const MirrorVariable = "OPENPAI_DEBIAN_MIRROR"

// Base selects the base image of the runtime image. The zero value means no
// base image.
type Base struct {
	// Image is an image reference in a registry.
	Image string
	// Shell selects the small base with a shell. The packages of the small base
	// are downloaded from the mirror in [MirrorVariable], or from Debian if
	// this variable is not set. Cache is the directory for cached packages. ""
	// disables the cache.
	Shell bool
	Cache string
}

// Index returns the index of the base image, or nil if b selects none. The
// index of the small base contains one image for each architecture in
// programs.
func (b Base) Index(ctx context.Context, programs map[string]string) (v1.ImageIndex, error) {
	switch {
	case b.Image != "":
		return Pull(ctx, b.Image)
	case b.Shell:
		mirror := cmp.Or(os.Getenv(MirrorVariable), debianMirror)
		return shellIndex(ctx, debian.Archive{Mirrors: []string{mirror, debianSnapshot}, Cache: b.Cache}, programs)
	}
	return nil, nil
}

func shellIndex(ctx context.Context, archive debian.Archive, programs map[string]string) (v1.ImageIndex, error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, arch := range slices.Sorted(maps.Keys(programs)) {
		pkg, err := busyboxPackage(arch)
		if err != nil {
			return nil, err
		}
		image, err := shellImage(ctx, archive, pkg)
		if err != nil {
			return nil, fmt.Errorf("create the base image with a shell for %s: %w", arch, err)
		}
		index = with(index, image, arch)
	}
	return index, nil
}

func shellImage(ctx context.Context, archive debian.Archive, pkg debian.Package) (v1.Image, error) {
	deb, err := archive.Fetch(ctx, pkg)
	if err != nil {
		err = fmt.Errorf("%w\nTo use a different Debian mirror, set %s to its URL, for example http://mirror.example.org/debian", err, MirrorVariable)
		return nil, message.WithHint(err, message.Hint{Kind: message.HintRuntimeBase})
	}
	files, err := debian.Files(deb, busyboxFile, copyrightFile)
	if err != nil {
		return nil, err
	}
	layer, err := layerOf(busyboxEntries(files)...)
	if err != nil {
		return nil, err
	}
	return mutate.AppendLayers(emptyImage(), layer)
}
