// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"cmp"
	"crypto/sha1" // the size of a commit ID
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const (
	// MaxFetched is the maximum length of [Record.Fetched].
	MaxFetched = 64

	// maxFetchedText is the maximum size in bytes of the download list in a
	// termination message. This size is enough for 7 downloads.
	maxFetchedText = 512
)

// Fetched is a file or git directory that a task fetched. SHA256 is "" if it was
// not computed. Commit is "" for a file.
type Fetched struct {
	Step string `json:"step,omitempty"`
	URL  string `json:"url,omitempty"` // as locator.Show returns it: without credentials
	// Key is the result of [FetchedKey] for Step and URL. Only records from a
	// termination message have a Key. These records have neither a Step nor a URL.
	Key    string `json:"key,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	Commit string `json:"commit,omitempty"`
	Bytes  int64  `json:"bytes"`
}

// FetchedKey returns the key of a download in a termination message. The key is
// the first 12 hexadecimal digits of a hash. The hash covers the prerequisite
// address and the URL from locator.Show.
func FetchedKey(step, shown string) string {
	sum := sha256.Sum256([]byte(step + "\n" + shown))
	return hex.EncodeToString(sum[:6])
}

// Identity returns the key of the download.
func (f Fetched) Identity() string { return cmp.Or(f.Key, FetchedKey(f.Step, f.URL)) }

// fetchedText returns a JSON list with one string per download, or "" without
// downloads. It omits the last downloads if the list would exceed
// maxFetchedText. Each string contains the key, the size and a content
// identifier. The identifier is the hash in base64, "git:" with the commit in
// base64, or "-".
func fetchedText(all []Fetched) string {
	var items []string
	size := len("[]")
	for _, f := range all {
		item := fmt.Sprintf("%s %d %s", f.Identity(), f.Bytes, f.content())
		if size += len(item) + len(`"",`); size > maxFetchedText {
			break
		}
		items = append(items, item)
	}
	if items == nil {
		return ""
	}
	text, err := json.Marshal(items)
	if err != nil {
		panic(err) // strings of ASCII characters
	}
	return string(text)
}

// commitPrefix is the prefix of a commit, because a hash has no prefix.
const commitPrefix = "git:"

// content returns the hash or commit for [fetchedText], or "-" if neither is
// valid.
func (f Fetched) content() string {
	if raw, err := hex.DecodeString(f.SHA256); err == nil && len(raw) == sha256.Size {
		return base64.RawURLEncoding.EncodeToString(raw)
	}
	if raw, err := hex.DecodeString(f.Commit); err == nil && isCommitSize(len(raw)) {
		return commitPrefix + base64.RawURLEncoding.EncodeToString(raw)
	}
	return "-"
}

// isCommitSize reports whether a SHA-1 or SHA-256 commit ID has n bytes.
func isCommitSize(n int) bool { return n == sha1.Size || n == sha256.Size }

var fetchedKey = regexp.MustCompile(`^[0-9a-f]{12}$`)

// ParseFetched parses the downloads in a termination message. It skips invalid
// strings, because the task may have written the message.
func ParseFetched(items []string) []Fetched {
	var all []Fetched
	for _, item := range items[:min(len(items), MaxFetched)] {
		if f, ok := parseFetched(item); ok {
			all = append(all, f)
		}
	}
	return all
}

func parseFetched(item string) (Fetched, bool) {
	parts := strings.Split(item, " ")
	if len(parts) != 3 || !fetchedKey.MatchString(parts[0]) {
		return Fetched{}, false
	}
	size, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || size < 0 {
		return Fetched{}, false
	}
	f := Fetched{Key: parts[0], Bytes: size}
	if parts[2] == "-" {
		return f, true
	}
	if commit, isCommit := strings.CutPrefix(parts[2], commitPrefix); isCommit {
		raw, err := base64.RawURLEncoding.DecodeString(commit)
		f.Commit = hex.EncodeToString(raw)
		return f, err == nil && isCommitSize(len(raw))
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[2])
	f.SHA256 = hex.EncodeToString(raw)
	return f, err == nil && len(raw) == sha256.Size
}
