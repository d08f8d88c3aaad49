// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"errors"
	"strings"
)

// special contains the characters that require a shell.
const special = "|&;<>()$`\\\"' \t\n*?[]#~{}!"

var (
	errNeedsShell = errors.New("the command requires a shell, which this runtime image does not contain: use the runtime image with a shell, or call a program with plain arguments")
	errOpenQuote  = errors.New("the command ends inside quotes or with a backslash: close the quotes or remove the backslash")
)

// splitWords splits a command that requires no shell. Quotes group words, and
// a backslash escapes the next character.
func splitWords(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	escaped := false
	for _, c := range command {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote == '"' && (c == '$' || c == '`'):
			return nil, errNeedsShell
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		case strings.ContainsRune(special, c):
			return nil, errNeedsShell
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 || escaped {
		return nil, errOpenQuote
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
