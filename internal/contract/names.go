package contract

import (
	"crypto/md5" // the name of a Framework is fixed by the contract, not a protection
	"encoding/hex"
	"strings"
)

// FrameworkName returns the metadata.name of the Framework of a user's job:
// the md5 of "<user>~<job>" in hex. Source: microsoft/pai:
// src/rest-server/src/models/v2/utils/name.js.
func FrameworkName(user, job string) string {
	sum := md5.Sum([]byte(user + "~" + job))
	return hex.EncodeToString(sum[:])
}

// RoleName returns the name of a task role in the Framework: lower case with
// everything outside [a-z0-9] dropped. It may be empty, and two names may
// meet: callers check both. Source: as [FrameworkName].
func RoleName(written string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, written)
}
