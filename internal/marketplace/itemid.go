package marketplace

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// itemID is the id that an item of an author gets on a server. The server takes
// the id of its client and stores each once, so one version of an item has one
// place, also where lists do not show it. It has the form of a UUID of version 8.
// Source: RFC 9562, section 5.8.
func itemID(author string, i *Item) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{"openpai", author, i.Type, i.Definition(), i.Version}, "\x00")))
	id := sum[:16]
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
