// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"cmp"
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

	// maxFetchedText is the maximum size of the downloads in a termination
	// message, in bytes. This is enough for 7 downloads.
	maxFetchedText = 512
)

// Fetched is a file that a task fetched. SHA256 is "" if it was not computed.
type Fetched struct {
	Step string `json:"step,omitempty"`
	URL  string `json:"url,omitempty"` // as locator.Show returns it: without credentials
	// Key is the result of [FetchedKey] for Step and URL. Only records from a
	// termination message have a Key; they have no Step or URL.
	Key    string `json:"key,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	Bytes  int64  `json:"bytes"`
}

// FetchedKey returns the short key of a download in a termination message: 12
// hexadecimal digits, from the address of the prerequisite and the URL as
// locator.Show returns it.
func FetchedKey(step, shown string) string {
	sum := sha256.Sum256([]byte(step + "\n" + shown))
	return hex.EncodeToString(sum[:6])
}

// Identity returns the key of the download.
func (f Fetched) Identity() string { return cmp.Or(f.Key, FetchedKey(f.Step, f.URL)) }

// fetchedText returns the first downloads that fit into maxFetchedText as a JSON
// list of strings, or "" if there are no downloads. Each string has the key, the
// size, and the hash in base64 or "-".
func fetchedText(all []Fetched) string {
	var items []string
	size := len("[]")
	for _, f := range all {
		sum := "-"
		if raw, err := hex.DecodeString(f.SHA256); err == nil && len(raw) == sha256.Size {
			sum = base64.RawURLEncoding.EncodeToString(raw)
		}
		item := fmt.Sprintf("%s %d %s", f.Identity(), f.Bytes, sum)
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

var fetchedKey = regexp.MustCompile(`^[0-9a-f]{12}$`)

// ParseFetched returns the downloads of a termination message. It skips invalid
// strings: the task can write the message too.
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
	raw, err := base64.RawURLEncoding.DecodeString(parts[2])
	f.SHA256 = hex.EncodeToString(raw)
	return f, err == nil && len(raw) == sha256.Size
}
