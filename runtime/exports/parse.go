// SPDX-License-Identifier: MPL-2.0

package exports

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse parses the output of "export -p": declare -x NAME="value" in bash, and
// export NAME='value' in other shells. Values may span several lines and
// contain $'…' quoting. It omits arrays and variables without a value, because
// an environment cannot contain them.
func Parse(text string) (map[string]string, error) {
	vars := map[string]string{}
	for {
		text = strings.TrimLeft(text, " \t\n")
		if text == "" {
			return vars, nil
		}
		words, rest, err := shellLine(text)
		if err != nil {
			return nil, err
		}
		text = rest
		if len(words) == 0 || words[0] != "export" && words[0] != "declare" && words[0] != "typeset" {
			return nil, fmt.Errorf("unexpected line %.40q in the output of export -p", strings.Join(words, " "))
		}
		array := false
		for _, w := range words[1:] {
			if strings.HasPrefix(w, "-") {
				array = array || strings.ContainsAny(w, "aA")
				continue
			}
			if name, value, ok := strings.Cut(w, "="); ok && !array {
				vars[name] = value
			}
			break
		}
	}
}

// shellLine reads words up to an unquoted newline.
func shellLine(text string) (words []string, rest string, err error) {
	for {
		text = strings.TrimLeft(text, " \t")
		if text == "" || text[0] == '\n' {
			return words, text, nil
		}
		var word string
		if word, text, err = shellWord(text); err != nil {
			return nil, "", err
		}
		words = append(words, word)
	}
}

// shellWord reads one word and removes its quotes, without expansions.
func shellWord(text string) (word, rest string, err error) {
	var b strings.Builder
	for text != "" {
		switch {
		case strings.IndexByte(" \t\n", text[0]) >= 0:
			return b.String(), text, nil
		case text[0] == '\'':
			var inner string
			var closed bool
			if inner, text, closed = strings.Cut(text[1:], "'"); !closed {
				return "", "", fmt.Errorf("unclosed quote in %.40q", inner)
			}
			b.WriteString(inner)
		case text[0] == '"':
			if text, err = doubleQuoted(&b, text[1:]); err != nil {
				return "", "", err
			}
		case strings.HasPrefix(text, "$'"):
			if text, err = ansiQuoted(&b, text[2:]); err != nil {
				return "", "", err
			}
		case text[0] == '\\' && len(text) > 1:
			b.WriteByte(text[1])
			text = text[2:]
		default:
			b.WriteByte(text[0])
			text = text[1:]
		}
	}
	return b.String(), "", nil
}

func doubleQuoted(b *strings.Builder, text string) (rest string, err error) {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return text[i+1:], nil
		case text[i] == '\\' && i+1 < len(text) && strings.IndexByte("\\\"$`", text[i+1]) >= 0:
			i++
		}
		b.WriteByte(text[i])
	}
	return "", fmt.Errorf("unclosed double quote in %.40q", text)
}

var ansiEscapes = map[byte]byte{
	'a': 7, 'b': 8, 't': '\t', 'n': '\n', 'v': 11, 'f': 12, 'r': '\r', 'e': 27, 'E': 27,
}

func ansiQuoted(b *strings.Builder, text string) (rest string, err error) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\'':
			return text[i+1:], nil
		case c != '\\' || i+1 == len(text):
			b.WriteByte(c)
			continue
		}
		i++
		switch c = text[i]; {
		case '0' <= c && c <= '7':
			n := digits(text[i:], 3, "01234567")
			code, _ := strconv.ParseUint(text[i:i+n], 8, 16)
			b.WriteByte(byte(code))
			i += n - 1
		case c == 'x':
			n := digits(text[i+1:], 2, "0123456789abcdefABCDEF")
			code, _ := strconv.ParseUint(text[i+1:i+1+n], 16, 8)
			b.WriteByte(byte(code))
			i += n
		case c == 'u' || c == 'U':
			n := digits(text[i+1:], map[byte]int{'u': 4, 'U': 8}[c], "0123456789abcdefABCDEF")
			code, _ := strconv.ParseInt(text[i+1:i+1+n], 16, 32)
			b.WriteRune(rune(code))
			i += n
		case ansiEscapes[c] != 0:
			b.WriteByte(ansiEscapes[c])
		default:
			b.WriteByte(c)
		}
	}
	return "", fmt.Errorf("unclosed quote in %.40q", text)
}

// digits returns the number of digits at the start of text, up to limit.
func digits(text string, limit int, set string) int {
	n := 0
	for n < limit && n < len(text) && strings.IndexByte(set, text[n]) >= 0 {
		n++
	}
	return n
}
