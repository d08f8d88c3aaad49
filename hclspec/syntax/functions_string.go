// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/url"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

func stringFunction(f func(string) (string, error)) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			text, err := f(args[0].AsString())
			return cty.StringVal(text), err
		},
	})
}

func stringPredicate(f func(text, part string) bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}, {Name: "part", Type: cty.String}},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.BoolVal(f(args[0].AsString(), args[1].AsString())), nil
		},
	})
}

var (
	startsWith  = stringPredicate(strings.HasPrefix)
	endsWith    = stringPredicate(strings.HasSuffix)
	strContains = stringPredicate(strings.Contains)

	// The arguments are paths in the task. The separator is always a slash.
	baseName = stringFunction(func(s string) (string, error) { return path.Base(s), nil })
	dirName  = stringFunction(func(s string) (string, error) { return path.Dir(s), nil })

	urlEncode    = stringFunction(func(s string) (string, error) { return url.QueryEscape(s), nil })
	base64Encode = stringFunction(func(s string) (string, error) { return base64.StdEncoding.EncodeToString([]byte(s)), nil })
	base64Decode = stringFunction(decodeBase64)

	md5Sum    = stringFunction(func(s string) (string, error) { sum := md5.Sum([]byte(s)); return hex.EncodeToString(sum[:]), nil })
	sha1Sum   = stringFunction(func(s string) (string, error) { sum := sha1.Sum([]byte(s)); return hex.EncodeToString(sum[:]), nil })
	sha256Sum = stringFunction(func(s string) (string, error) {
		sum := sha256.Sum256([]byte(s))
		return hex.EncodeToString(sum[:]), nil
	})
	sha512Sum = stringFunction(func(s string) (string, error) {
		sum := sha512.Sum512([]byte(s))
		return hex.EncodeToString(sum[:]), nil
	})
)

func decodeBase64(s string) (string, error) {
	decoded, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return "", errors.New("the string is not valid base64")
	}
	if !utf8.Valid(decoded) {
		return "", errors.New("the decoded bytes are not valid UTF-8")
	}
	return string(decoded), nil
}

// replace replaces a string everywhere, or all matches of a regular
// expression between slashes.
var replace = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "text", Type: cty.String}, {Name: "old", Type: cty.String}, {Name: "new", Type: cty.String},
	},
	Type: function.StaticReturnType(cty.String),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		text, old, with := args[0].AsString(), args[1].AsString(), args[2].AsString()
		if len(old) < 2 || old[0] != '/' || old[len(old)-1] != '/' {
			if strings.Count(text, old)*len(with) > maxValueBytes {
				return cty.NilVal, errResultTooLarge
			}
			return cty.StringVal(strings.ReplaceAll(text, old, with)), nil
		}
		re, err := regexp.Compile(old[1 : len(old)-1])
		if err != nil {
			return cty.NilVal, function.NewArgErrorf(1, "invalid regular expression: %s", err)
		}
		if len(re.FindAllStringIndex(text, -1))*len(with)+strings.Count(with, "$")*len(text) > maxValueBytes {
			return cty.NilVal, errResultTooLarge
		}
		return cty.StringVal(re.ReplaceAllString(text, with)), nil
	},
})

// jsonEncode leaves <, > and & unescaped, so that tags remain intact.
var jsonEncode = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true}},
	Type:   function.StaticReturnType(cty.String),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		text, err := stdlib.JSONEncode(args[0])
		if err != nil {
			return cty.NilVal, err
		}
		if !text.IsKnown() {
			return text, nil
		}
		return cty.StringVal(unescapeHTML(text.AsString())), nil
	},
})

var htmlEscape = regexp.MustCompile(`\\(\\|u003c|u003e|u0026)`)

// unescapeHTML undoes the HTML escapes of encoding/json. The pattern matches
// pairs of backslashes, because an escaped backslash does not start an escape.
func unescapeHTML(text string) string {
	return htmlEscape.ReplaceAllStringFunc(text, func(e string) string {
		switch e {
		case `\u003c`:
			return "<"
		case `\u003e`:
			return ">"
		case `\u0026`:
			return "&"
		}
		return e
	})
}
