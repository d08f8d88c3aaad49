package message

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Fact is a value whose words depend on the reader. String returns its kind,
// which a reader sees only if a front end forgot to phrase the text.
type Fact interface {
	fmt.Stringer
	// Fact does nothing. It marks the type, so that other values with a
	// String method keep their own words.
	Fact()
}

// Phrase returns the words of a fact for one kind of reader.
type Phrase func(Fact) string

// Text is a sentence that may contain facts. The arguments of one that does
// must not change afterwards. The zero value is empty.
type Text struct {
	format   string
	args     []any
	sentence bool // phrased with a full stop at the end
}

// Textf returns a text in the manner of fmt.Sprintf. Arguments that are facts,
// or texts and errors that contain some, stay what they are until the text is
// phrased.
func Textf(format string, args ...any) Text {
	if !slices.ContainsFunc(args, hasFacts) {
		return Text{format: "%s", args: []any{fmt.Sprintf(format, args...)}}
	}
	return Text{format: format, args: args}
}

// Sentence returns a text like [Textf] that ends with a full stop. Where the last
// argument, such as an error, ends like a sentence already, it stays as it is.
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

// HasFacts reports whether the words depend on the reader.
func (t Text) HasFacts() bool { return slices.ContainsFunc(t.args, hasFacts) }

// Empty reports whether there is no text.
func (t Text) Empty() bool { return t.String() == "" }

// Equal reports whether two texts say the same to every reader.
func (t Text) Equal(u Text) bool { return reflect.DeepEqual(t, u) }

// Phrase returns the text for a reader.
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

// String returns the text for nobody in particular: facts show as their kinds.
func (t Text) String() string { return t.Phrase(Fact.String) }
