package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// fixedVolume is an error that belongs to an entry of the catalog.
type fixedVolume struct{}

func (fixedVolume) Error() string         { return "the volume a was made under another declaration" }
func (fixedVolume) Entry() *hclspec.Entry { return hclspec.VolumeFixed }

func TestAnErrorOfTheCatalogIsShownAsADiagnostic(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	code := report(NewStreams(strings.NewReader(""), &bytes.Buffer{}, &stderr), nil, fmt.Errorf("apply job.a: %w", fixedVolume{}))
	for _, want := range []string{"Error: The volume never changes [volume-fixed]", "apply job.a: the volume a was made", "another name"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("no %q in\n%s", want, stderr.String())
		}
	}
	if code != exitFailed {
		t.Errorf("exit code %d", code)
	}
}

func TestAnErrorDoesNotActOnATerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	showError(&Streams{err: &out}, errors.New("a server says\n\t\x1b[2Jgone"))
	if got, want := out.String(), "Error: a server says\n\t\\x1b[2Jgone\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
