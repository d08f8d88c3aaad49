// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// relative makes paths below the workspace directory relative. Records
// contain relative paths because other machines also read the records.
func (o *Operation) relative(text string) string {
	if o.options.Directory == "" {
		return text
	}
	dir, err := filepath.Abs(o.options.Directory)
	if err != nil {
		return text
	}
	text = relativePaths(text, dir)
	if target, err := filepath.EvalSymlinks(dir); err == nil && target != dir {
		text = relativePaths(text, target)
	}
	return text
}

func relativePaths(text, dir string) string {
	prefix := strings.TrimSuffix(dir, "/") + "/"
	var out strings.Builder
	for prefix != "/" {
		at := strings.Index(text, prefix)
		if at < 0 {
			break
		}
		out.WriteString(text[:at])
		if before, _ := utf8.DecodeLastRuneInString(text[:at]); at > 0 && inPath(before) {
			out.WriteString(prefix)
		}
		text = text[at+len(prefix):]
	}
	return out.String() + text
}

// inPath reports whether c can be part of a path. A directory after such a
// character is only a part of a longer path.
func inPath(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("._-/", c)
}
