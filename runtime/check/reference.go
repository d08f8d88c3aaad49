// SPDX-License-Identifier: MPL-2.0

package check

import (
	"cmp"
	"errors"
	"regexp"
	"strings"
	"sync"
)

// image is a parsed image name that contains docker's defaults for omitted parts.
// The grammar is from github.com/distribution/reference. This package does not
// import that module: the module compiles regular expressions at program start,
// which would delay every task.
type image struct {
	registry, repository string
	version              string // digest if present, otherwise tag
}

// imageName matches an image name without the registry.
var imageName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*)` +
		`(?::([\w][\w.-]{0,127}))?` +
		`(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`)
})

var registryGrammar = sync.OnceValue(func() *regexp.Regexp {
	const part = `(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])`
	return regexp.MustCompile(`^(?:` + part + `(?:\.` + part + `)*|\[(?:[a-fA-F0-9:]+)\])(?::[0-9]+)?$`)
})

var (
	errReference = errors.New("it does not have the form [registry/]name[:tag][@digest]")
	errUpperCase = errors.New("the name must be lowercase")
	errOnlyHex   = errors.New("it looks like an image ID, not a name")
	errTooLong   = errors.New("the name has more than 255 characters")
	errDigest    = errors.New("the digest must use sha256, sha384 or sha512, with 64, 96 or 128 lowercase hexadecimal digits")
)

// maxName is the maximum length of a name, excluding the registry, tag and
// digest.
const maxName = 255

// digestDigits maps each digest algorithm to its number of hexadecimal digits.
var digestDigits = map[string]int{"sha256": 64, "sha384": 96, "sha512": 128}

// parseImage parses an image name in the same way as docker.
func parseImage(text string) (image, error) {
	if len(text) == 64 && strings.Trim(text, "0123456789abcdef") == "" {
		return image{}, errOnlyHex
	}
	registry, rest := splitRegistry(text)
	name, _, _ := strings.Cut(rest, "@")
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name = name[:i]
	}
	if strings.ToLower(name) != name {
		return image{}, errUpperCase
	}
	m := imageName().FindStringSubmatch(rest)
	if m == nil || !registryGrammar().MatchString(registry) {
		return image{}, errReference
	}
	if len(m[1]) > maxName {
		return image{}, errTooLong
	}
	i := image{registry: registry, repository: m[1], version: m[2]}
	if digest := m[3]; digest != "" {
		algorithm, digits, _ := strings.Cut(digest, ":")
		if want, known := digestDigits[algorithm]; !known || len(digits) != want || strings.ToLower(digits) != digits {
			return image{}, errDigest
		}
		i.version = digest
	}
	i.version = cmp.Or(i.version, "latest")
	return i, nil
}

// splitRegistry treats the first component as a registry if the component cannot
// be part of a Docker Hub repository. An image without a registry is on Docker
// Hub. If the image name has only one component, splitRegistry prepends
// "library/".
func splitRegistry(text string) (registry, rest string) {
	first, after, found := strings.Cut(text, "/")
	if !found || !strings.ContainsAny(first, ".:") && first != "localhost" && strings.ToLower(first) == first {
		registry, rest = dockerHub, text
	} else {
		registry, rest = first, after
	}
	if registry == "index.docker.io" {
		registry = dockerHub
	}
	if registry == dockerHub && !strings.Contains(rest, "/") {
		rest = "library/" + rest
	}
	return registry, rest
}
