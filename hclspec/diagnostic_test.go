// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
)

func TestAtSetsThePositionAndTheCode(t *testing.T) {
	t.Parallel()
	rng := hcl.Range{Filename: "f", Start: hcl.Pos{Line: 3}}
	d := UnknownArgument.At(rng, "No argument is named %q.", "x")
	if d.Subject == nil || *d.Subject != rng || d.Detail != `No argument is named "x".` || Code(d) != "unknown-argument" {
		t.Errorf("got %+v", d)
	}
	if d := UnknownArgument.At(hcl.Range{}, "Nowhere."); d.Subject != nil {
		t.Error("a diagnostic without a position has a subject")
	}
	if got := Code(&hcl.Diagnostic{Summary: "Invalid expression"}); got != "" {
		t.Errorf("a diagnostic of the HCL library has the code %q", got)
	}
}

func TestDiagnosticsOfHCLGetACodeAndKeepTheirWords(t *testing.T) {
	t.Parallel()
	own := UnknownArgument.At(hcl.Range{}, "x")
	got := UnreadableFile.Adopt(hcl.Diagnostics{own, {Severity: hcl.DiagWarning, Summary: "Odd quote", Detail: "Use others."}})
	if Code(got[0]) != "unknown-argument" || Code(got[1]) != "unreadable-file" || got[1].Summary != "Odd quote" || got[1].Severity != hcl.DiagWarning {
		t.Errorf("got %+v and %+v", got[0], got[1])
	}
}

func TestSortOrdersByPlaceAndRemovesRepetitions(t *testing.T) {
	t.Parallel()
	at := func(file string, b int, text string) *hcl.Diagnostic {
		return UnknownArgument.At(hcl.Range{Filename: file, Start: hcl.Pos{Byte: b}}, "%s", text)
	}
	got := Sort(hcl.Diagnostics{
		at("b", 1, "fourth"), at("a", 9, "third"), at("a", 2, "second"), at("b", 1, "fourth"), at("b", 1, "fifth"),
		UnknownArgument.At(hcl.Range{}, "first"),
	})
	var order []string
	for _, d := range got {
		order = append(order, d.Detail)
	}
	if diff := cmp.Diff([]string{"first", "second", "third", "fourth", "fifth"}, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if got := Sort(nil); len(got) != 0 {
		t.Errorf("Sort(nil) returned %v", got)
	}
}

func TestSensitiveNeverShowsItself(t *testing.T) {
	t.Parallel()
	s := NewSensitive("hunter2")
	for _, text := range []string{s.String(), WrongType.At(hcl.Range{}, "%v %s %q %+v %#v", s, s, s, s, s).Detail} {
		if strings.Contains(text, "hunter2") {
			t.Errorf("the text contains the value: %s", text)
		}
	}
	if s.Reveal() != "hunter2" || !s.Equal(NewSensitive("hunter2")) || s.Equal(NewSensitive("x")) || s.Equal(nil) {
		t.Error("Reveal or Equal returned a wrong result")
	}
}

func TestSortRemovesRepetitionsThatAreApart(t *testing.T) {
	t.Parallel()
	at := hcl.Range{Filename: "a", Start: hcl.Pos{Line: 1, Column: 1}, End: hcl.Pos{Line: 1, Column: 2}}
	first, second := UnknownSecret.At(at, "X."), UnknownSecret.At(at, "Y.")
	got := Sort(hcl.Diagnostics{first, second, UnknownSecret.At(at, "X."), UnknownSecret.At(at, "Y."), UnknownSecret.At(hcl.Range{}, "X.")})
	if len(got) != 3 {
		t.Errorf("got %d diagnostics: %v", len(got), got)
	}
}
