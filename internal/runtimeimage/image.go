// SPDX-License-Identifier: MPL-2.0

package runtimeimage

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Options configure an image.
type Options struct {
	// Base is the index of the base image, with one image per architecture.
	// nil means an empty base.
	Base v1.ImageIndex
	// Version is the version label of the image. "" means no label.
	Version string
}

// searchPath is the PATH for the shell of a base image.
const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// Build returns an index with one image for each program. programs maps
// architectures in Go's spelling ("amd64") to file names.
func Build(programs map[string]string, o Options) (v1.ImageIndex, error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, arch := range slices.Sorted(maps.Keys(programs)) {
		program, err := os.ReadFile(programs[arch])
		if err != nil {
			return nil, fmt.Errorf("read the runtime for %s: %w", arch, err)
		}
		base, err := baseImage(o.Base, arch)
		if err != nil {
			return nil, err
		}
		image, err := build(base, program, arch, o)
		if err != nil {
			return nil, fmt.Errorf("build the runtime image for %s: %w", arch, err)
		}
		index = with(index, image, arch)
	}
	return index, nil
}

func build(base v1.Image, program []byte, arch string, o Options) (v1.Image, error) {
	added, err := newLayer(program)
	if err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(base, added)
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	// The creation time is the Unix epoch. With the current time, every build
	// would differ.
	config.Created = v1.Time{Time: time.Unix(0, 0).UTC()}
	config.OS, config.Architecture = "linux", arch
	for i := range config.History {
		config.History[i].Created = config.Created
	}
	config.Config.Entrypoint, config.Config.Cmd = nil, []string{"openpai-runtime", "init"}
	config.Config.WorkingDir, config.Config.User = "/", ""
	config.Config.Env = []string{"PATH=" + searchPath}
	if o.Version != "" {
		config.Config.Labels = map[string]string{"org.opencontainers.image.version": o.Version, "org.opencontainers.image.title": "openpai-runtime"}
	}
	return mutate.ConfigFile(image, config)
}

func with(index v1.ImageIndex, image v1.Image, arch string) v1.ImageIndex {
	return mutate.AppendManifests(index, mutate.IndexAddendum{
		Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}},
	})
}

// baseImage returns the image for arch, or an empty image if index is nil.
func baseImage(index v1.ImageIndex, arch string) (v1.Image, error) {
	if index == nil {
		return emptyImage(), nil
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		return nil, fmt.Errorf("read the base image: %w", err)
	}
	for _, m := range manifest.Manifests {
		if m.Platform != nil && m.Platform.OS == "linux" && m.Platform.Architecture == arch {
			image, err := index.Image(m.Digest)
			if err != nil {
				return nil, fmt.Errorf("read the base image for %s: %w", arch, err)
			}
			return image, nil
		}
	}
	return nil, fmt.Errorf("the base image does not support linux/%s", arch)
}

// emptyImage returns an OCI image without layers.
func emptyImage() v1.Image {
	return mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
}
