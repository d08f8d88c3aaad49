// SPDX-License-Identifier: MPL-2.0

package history

import (
	"fmt"
	"regexp"
	"strconv"
)

// Key identifies a run's document within a workspace.
type Key struct {
	Framework string
	Number    int
	// Short is the [ShortUID] of the UID.
	Short string
}

// Key returns the key of the run's document.
func (r *Run) Key() Key { return Key{r.Framework, r.Number, ShortUID(r.UID)} }

var notInUID = regexp.MustCompile(`[^0-9a-z]`)

// shortUID is the number of UID digits in a reference.
const shortUID = 8

// ShortUID returns the first 8 digits of a UID.
func ShortUID(uid string) string {
	digits := notInUID.ReplaceAllString(uid, "")
	return digits[:min(len(digits), shortUID)]
}

func (k Key) String() string { return fmt.Sprintf("%s-%d-%s", k.Framework, k.Number, k.Short) }

var keyPattern = regexp.MustCompile(`^([0-9a-z]{1,63})-([1-9][0-9]{0,8})-([0-9a-z]{0,8})$`)

// ParseKey parses the output of [Key.String].
func ParseKey(text string) (Key, bool) {
	m := keyPattern.FindStringSubmatch(text)
	if m == nil {
		return Key{}, false
	}
	n, err := strconv.Atoi(m[2])
	return Key{m[1], n, m[3]}, err == nil
}
