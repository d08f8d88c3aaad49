package check

import (
	"cmp"
	"errors"
	"regexp"
	"strings"
	"sync"
)

// image is the name of an image with everything filled in that docker would
// fill in. The grammar is that of github.com/distribution/reference, which
// compiles its expressions at the start of every program that links it; a task
// cannot wait for that.
type image struct {
	registry, repository string
	version              string // the digest if there is one, else the tag
}

// imageName is the grammar after the registry was cut off.
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
	errReference = errors.New("it is not of the form [registry/]name[:tag][@digest]")
	errUpperCase = errors.New("the name must be in lower case")
	errOnlyHex   = errors.New("it looks like the identifier of an image, not like a name")
	errTooLong   = errors.New("the name has more than 255 characters")
	errDigest    = errors.New("the digest is not one of sha256, sha384 or sha512 with its number of digits")
)

// maxName bounds a name without registry, tag and digest.
const maxName = 255

// digestDigits are the lengths of digests in hexadecimal digits.
var digestDigits = map[string]int{"sha256": 64, "sha384": 96, "sha512": 128}

// parseImage reads the name of an image as docker does.
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

// splitRegistry cuts off the first part when it can only be a registry; images
// without one are at Docker Hub, those of one part in its library.
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
