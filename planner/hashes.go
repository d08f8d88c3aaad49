// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// hashPrefix is the version of the hash algorithm. Hashes with different prefixes
// cannot be compared.
const hashPrefix = "h1:"

// fieldHashSize is the length of a truncated field hash, in bytes. Records
// contain one such hash per field of each job. A truncated hash is
// sufficient, because it only has to detect changes.
const fieldHashSize = 16

// Hashes returns the hashes that the record of a resolved job contains: one hash
// of the whole content, and one per field.
//
// The keys of fields are HCL paths relative to the job. A field hash is "h1:"
// and the first 16 bytes, in hexadecimal, of the SHA-256 of the canonical
// JSON. Fields with the zero value of their type have no hash. Map entries and
// list elements always have a hash. Identity, descriptions and secrets are not
// hashed.
//
// The content hash is "h1:" and the hexadecimal SHA-256 of the lines "<path>
// <canonical JSON>\n" sorted by path. It omits the fields whose changes have
// the effect [hclspec.EffectNone].
func Hashes(job *resolve.Job) (hash string, fields map[string]string) {
	all := hashed(leaves(job))
	slices.SortFunc(all, func(a, b leaf) int { return cmp.Compare(a.path, b.path) })
	fields = make(map[string]string, len(all))
	content := sha256.New()
	encoder := plainjson.NewEncoder()
	var line []byte
	for _, l := range all {
		value := encoder.MustMarshal(l.value)
		fields[string(l.path)] = fieldHash(value)
		if declaredEffect(l.path) != hclspec.EffectNone {
			line = append(append(line[:0], l.path...), ' ')
			line = append(append(line, value...), '\n')
			content.Write(line)
		}
	}
	return hashPrefix + hex.EncodeToString(content.Sum(nil)), fields
}

// hashed returns the leaves whose value is not the zero value of its type.
func hashed(all []leaf) []leaf {
	kept := make([]leaf, 0, len(all))
	for _, l := range all {
		if !l.zero {
			kept = append(kept, l)
		}
	}
	return kept
}

func fieldHash(canonical []byte) string {
	sum := sha256.Sum256(canonical)
	return string(hex.AppendEncode([]byte(hashPrefix), sum[:fieldHashSize]))
}
