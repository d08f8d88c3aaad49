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

// MirrorVariable is the environment variable with the address of a mirror of
// the Debian archive.
const MirrorVariable = "OPENPAI_DEBIAN_MIRROR"

// Base says what the runtime is laid over. The zero value is nothing.
type Base struct {
	// Image is a reference in a registry.
	Image string
	// Shell asks for the small base with a shell. What it is made of comes from
	// the mirror of Debian that the environment names, else from Debian's own,
	// and stays in the directory Cache; empty: it is not kept.
	Shell bool
	Cache string
}

// Index gets the base for the processors of programs; nil: nothing.
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
			return nil, fmt.Errorf("make the base with a shell for %s: %w", arch, err)
		}
		index = with(index, image, arch)
	}
	return index, nil
}

func shellImage(ctx context.Context, archive debian.Archive, pkg debian.Package) (v1.Image, error) {
	deb, err := archive.Fetch(ctx, pkg)
	if err != nil {
		err = fmt.Errorf("%w\nIf this machine reaches another mirror of Debian, name it in %s, as in http://mirror.example.org/debian", err, MirrorVariable)
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
