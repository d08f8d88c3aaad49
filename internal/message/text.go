// SPDX-License-Identifier: MPL-2.0

package message

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Fact is a value whose wording depends on the reader. String returns the kind of
// the fact. Readers see the kind only if a front end did not phrase the text.
type Fact interface {
	fmt.Stringer
	// Fact does nothing. It distinguishes facts from other values that have a
	// String method.
	Fact()
}

// Phrase returns the wording of a fact for one kind of reader.
type Phrase func(Fact) string

// Text is a sentence that may contain facts. After creating a text that contains
// facts, the caller must not change the arguments. The zero value is empty.
type Text struct {
	format   string
	args     []any
	sentence bool // the phrased text ends with a full stop
}

// Textf returns a text in the style of fmt.Sprintf. If an argument contains
// facts, Textf retains all arguments so that a front end can phrase the text.
func Textf(format string, args ...any) Text {
	if !slices.ContainsFunc(args, hasFacts) {
		return Text{format: "%s", args: []any{fmt.Sprintf(format, args...)}}
	}
	return Text{format: format, args: args}
}

// Sentence is like [Textf], but ends the text with a full stop. It adds none if
// the text already ends with ".", "?" or "!", for example because of an error as
// the last argument.
func Sentence(format string, args ...any) Text {
	t := Textf(format, args...)
	t.sentence = true
	return t
}

func hasFacts(arg any) bool {
	switch arg := arg.(type) {
	case Fact:
		return true
	case Text:
		return arg.HasFacts()
	case error:
		return HintOf(arg) != nil
	}
	return false
}

// HasFacts reports whether the text contains facts. The wording of such a text
// depends on the reader.
func (t Text) HasFacts() bool { return slices.ContainsFunc(t.args, hasFacts) }

// Empty reports whether the text is empty.
func (t Text) Empty() bool { return t.String() == "" }

// Equal reports whether two texts have the same wording for every reader.
func (t Text) Equal(u Text) bool { return reflect.DeepEqual(t, u) }

// Phrase returns the text with each fact replaced by the result of phrase.
func (t Text) Phrase(phrase Phrase) string {
	args := slices.Clone(t.args)
	for i, arg := range args {
		switch arg := arg.(type) {
		case Fact:
			args[i] = phrase(arg)
		case Text:
			args[i] = arg.Phrase(phrase)
		case error:
			args[i] = phrase.Error(arg)
		}
	}
	text := fmt.Sprintf(t.format, args...)
	if t.sentence && text != "" && !strings.ContainsAny(text[len(text)-1:], ".?!") {
		text += "."
	}
	return text
}

// String returns the text with each fact replaced by its kind.
func (t Text) String() string { return t.Phrase(Fact.String) }
