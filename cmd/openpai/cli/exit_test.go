// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/policy"
)

// fixedVolume is an error with a catalog entry.
type fixedVolume struct{}

func (fixedVolume) Error() string         { return "the volume a was created from a different declaration" }
func (fixedVolume) Entry() *hclspec.Entry { return hclspec.VolumeFixed }

func TestAnErrorOfTheCatalogIsShownAsADiagnostic(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	code := report(NewStreams(strings.NewReader(""), &bytes.Buffer{}, &stderr), nil, fmt.Errorf("apply job.a: %w", fixedVolume{}))
	for _, want := range []string{"Error: Volume cannot be changed [volume-fixed]", "apply job.a: the volume a was created", "a different name"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("no %q in\n%s", want, stderr.String())
		}
	}
	if code != exitFailed {
		t.Errorf("exit code %d", code)
	}
}

// TestInterruptedComesFirst checks that the exit code of an interrupt takes
// precedence over that of an error, and an error over a policy denial.
func TestInterruptedComesFirst(t *testing.T) {
	t.Parallel()
	denial := &diagnosticsError{diags: hcl.Diagnostics{policy.Denied.At(hcl.Range{}, "no")}}
	mistake := &diagnosticsError{diags: hcl.Diagnostics{policy.Denied.At(hcl.Range{}, "no"), hclspec.VolumeFixed.At(hcl.Range{}, "wrong")}}
	for name, tt := range map[string]struct {
		err  error
		want int
	}{
		"interrupted":                       {context.Canceled, exitInterrupted},
		"interrupted while a policy denies": {errors.Join(denial, context.Canceled), exitInterrupted},
		"interrupted after an error":        {fmt.Errorf("read: %w", context.Canceled), exitInterrupted},
		"an error next to a denial":         {mistake, exitFailed},
		"an error after a denial":           {errors.Join(denial, errors.New("no cluster")), exitFailed},
		"a denial":                          {denial, exitDenied},
		"a failed job":                      {exitWith(exitJobsFailed), exitJobsFailed},
		"nothing":                           {nil, exitOK},
	} {
		s := NewStreams(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{})
		if got := report(s, nil, tt.err); got != tt.want {
			t.Errorf("%s: exit code %d, want %d", name, got, tt.want)
		}
	}
}

func TestAnErrorDoesNotActOnATerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	showError(&Streams{err: &out}, errors.New("a server returns\n\t\x1b[2Jgone"))
	if got, want := out.String(), "Error: a server returns\n\t\\x1b[2Jgone\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestAnInterruptIsOneMessage checks that the interrupted request is a detail of the
// message, and that other errors remain.
func TestAnInterruptIsOneMessage(t *testing.T) {
	t.Parallel()
	request := fmt.Errorf("read the jobs of cluster.far: %w", context.Canceled)
	for name, tt := range map[string]struct {
		err    error
		want   string
		errors int
	}{
		"only the interrupt":     {context.Canceled, "Interrupted.\n", 1},
		"a request":              {request, "Interrupted.\n  read the jobs of cluster.far\n", 1},
		"two requests":           {errors.Join(request, context.Canceled, request), "Interrupted.\n  read the jobs of cluster.far\n  read the jobs of cluster.far\n", 1},
		"an error and a request": {errors.Join(errors.New("no disk"), request), "Error: no disk\nInterrupted.\n  read the jobs of cluster.far\n", 2},
	} {
		var stderr bytes.Buffer
		report(NewStreams(strings.NewReader(""), &bytes.Buffer{}, &stderr), nil, tt.err)
		if diff := cmp.Diff(tt.want, stderr.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		s := NewStreams(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{})
		s.json = &jsonOutput{}
		report(s, nil, tt.err)
		if len(s.json.diags) != tt.errors || s.json.diags[tt.errors-1].Summary != "Interrupted" {
			t.Errorf("%s: diagnostics %+v", name, s.json.diags)
		}
	}
}
