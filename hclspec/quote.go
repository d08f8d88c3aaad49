package hclspec

import (
	"fmt"
	"strings"
)

// maxListed is how many names a message lists.
const maxListed = 30

// QuoteList lists names for a sentence, the first ones of many; none is the text
// for an empty list.
func QuoteList(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	if more := len(names) - maxListed; more > 0 {
		return fmt.Sprintf(`"%s" and %d more`, strings.Join(names[:maxListed], `", "`), more)
	}
	return `"` + strings.Join(names, `", "`) + `"`
}
