// SPDX-License-Identifier: MPL-2.0

package message_test

import (
	"errors"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/message"
)

type color string

func (c color) String() string { return string(c) }

type taste struct{ degree int }

func (taste) String() string { return "taste" }
func (taste) Fact()          {}

func TestFactsArePhrasedForTheReader(t *testing.T) {
	t.Parallel()
	phrase := func(f message.Fact) string {
		if f.(taste).degree > 1 {
			return "very sweet"
		}
		return "sweet"
	}
	tests := map[string]struct {
		text        message.Text
		want, plain string
	}{
		"a string without facts is formatted like Sprintf":        {message.Textf("%d apples, %s", 3, color("red")), "3 apples, red", "3 apples, red"},
		"a fact is phrased for the reader":                        {message.Textf("%s apples are %s", color("red"), taste{2}), "red apples are very sweet", "red apples are taste"},
		"a percent sign in a value is unchanged":                  {message.Textf("%s", "100%d"), "100%d", "100%d"},
		"a sentence ends with a full stop":                        {message.Sentence("apples are %s", taste{1}), "apples are sweet.", "apples are taste."},
		"a sentence without facts is also formatted like Sprintf": {message.Sentence("apples are %s", color("red")), "apples are red.", "apples are red."},
		"a sentence ends once":                                    {message.Sentence("why: %s", errors.New("is it red?")), "why: is it red?", "why: is it red?"},
		"a percent sign in a phrase is unchanged":                 {message.Textf("%s%s", "50%", taste{1}), "50%sweet", "50%taste"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tt.text.Phrase(phrase); got != tt.want {
				t.Errorf("phrased: %q, want %q", got, tt.want)
			}
			if got := tt.text.String(); got != tt.plain {
				t.Errorf("without a reader: %q, want %q", got, tt.plain)
			}
		})
	}
}

func TestTextWithoutFactsKeepsTheValuesOfItsTime(t *testing.T) {
	t.Parallel()
	list := []string{"a"}
	text := message.Textf("%v", list)
	list[0] = "b"
	if got := text.String(); got != "[a]" {
		t.Errorf("the text changed to %q", got)
	}
}
