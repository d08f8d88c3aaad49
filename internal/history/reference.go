// SPDX-License-Identifier: MPL-2.0

package history

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Reference returns the text that users write to select the run, for example
// job.train@3.
func (r *Run) Reference() string { return fmt.Sprintf("%s@%d", r.Address, r.Number) }

// Reference selects runs by their address, number and UID. A part with the
// zero value matches every run.
type Reference struct {
	Address hclspec.Address
	Number  int
	Short   string // first 8 digits of the UID
}

var (
	numberPattern = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)
	shortPattern  = regexp.MustCompile(`^[0-9a-f]{8}$`)
)

// ParseReference parses ADDRESS@NUMBER, NUMBER, or the first 8 digits of a UID.
// ParseReference treats eight decimal digits as part of a UID, not as a number.
// address parses the part before the @.
func ParseReference(text string, address func(string) hclspec.Address) (Reference, error) {
	at := strings.LastIndex(text, "@")
	switch before, number := text[:max(at, 0)], text[at+1:]; {
	case at > 0 && numberPattern.MatchString(number):
		n, err := strconv.Atoi(number)
		return Reference{Address: address(before), Number: n}, err
	case at < 0 && shortPattern.MatchString(text):
		return Reference{Short: text}, nil
	case at < 0 && numberPattern.MatchString(text):
		n, err := strconv.Atoi(text)
		return Reference{Number: n}, err
	}
	return Reference{}, fmt.Errorf("invalid run %q: write ADDRESS@NUMBER (for example job.train@3), a number, or the first 8 digits of the UID", text)
}

// Matches reports whether the reference matches a run.
func (f Reference) Matches(r *Run) bool {
	return (f.Address == "" || f.Address == r.Address) && (f.Number == 0 || f.Number == r.Number) &&
		(f.Short == "" || f.Short == ShortUID(r.UID))
}

// Find returns the only run that matches a reference. It returns an error if no run
// matches or if several runs match. text is the reference as the user wrote it, for
// errors.
func Find(runs []*Run, f Reference, text string) (*Run, error) {
	var found []*Run
	for _, r := range runs {
		if f.Matches(r) {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, fmt.Errorf("run %s does not exist%s", text, known(runs))
	}
	var names []string
	for _, r := range found {
		names = append(names, fmt.Sprintf("%s (%s)", r.Reference(), ShortUID(r.UID)))
	}
	return nil, fmt.Errorf("%q is ambiguous: it matches %s; use ADDRESS@NUMBER or the digits in parentheses", text, strings.Join(names, ", "))
}

// known lists the references of the latest runs for an error message.
func known(runs []*Run) string {
	const most = 5
	if len(runs) == 0 {
		return "; no runs are recorded"
	}
	latest := slices.Clone(runs)
	Sort(latest)
	slices.Reverse(latest)
	var names []string
	for _, r := range latest[:min(len(latest), most)] {
		names = append(names, r.Reference())
	}
	return "; the latest are " + strings.Join(names, ", ")
}

// Sort sorts runs by submission time, oldest first.
func Sort(runs []*Run) { slices.SortStableFunc(runs, Compare) }

// Compare compares runs in the order of [Sort].
func Compare(a, b *Run) int {
	return cmp.Or(a.Submitted.Compare(b.Submitted), cmp.Compare(a.Address, b.Address), cmp.Compare(a.Number, b.Number))
}
