// SPDX-License-Identifier: MPL-2.0

package redact

import (
	"strings"
	"testing"
)

func TestURLEncodingsOfOtherProgramsAreMasked(t *testing.T) {
	t.Parallel()
	const secret = `k3y"t/+ &<é>\x'%$;=:@?,#~!(*)[]|_-.end`
	r := New(secret)
	for name, encoded := range map[string]string{
		"curl --data-urlencode":            `k3y%22t%2F%2B%20%26%3C%C3%A9%3E%5Cx%27%25%24%3B%3D%3A%40%3F%2C%23~%21%28%2A%29%5B%5D%7C_-.end`,
		"quote of Python":                  `k3y%22t/%2B%20%26%3C%C3%A9%3E%5Cx%27%25%24%3B%3D%3A%40%3F%2C%23~%21%28%2A%29%5B%5D%7C_-.end`,
		"quote_plus of Python":             `k3y%22t%2F%2B+%26%3C%C3%A9%3E%5Cx%27%25%24%3B%3D%3A%40%3F%2C%23~%21%28%2A%29%5B%5D%7C_-.end`,
		"encodeURIComponent of JavaScript": `k3y%22t%2F%2B%20%26%3C%C3%A9%3E%5Cx'%25%24%3B%3D%3A%40%3F%2C%23~!(*)%5B%5D%7C_-.end`,
		"encodeURI of JavaScript":          `k3y%22t/+%20&%3C%C3%A9%3E%5Cx'%25$;=:@?,#~!(*)%5B%5D%7C_-.end`,
		"URLSearchParams, URLEncoder":      `k3y%22t%2F%2B+%26%3C%C3%A9%3E%5Cx%27%25%24%3B%3D%3A%40%3F%2C%23%7E%21%28*%29%5B%5D%7C_-.end`,
		"urlencode of PHP before 5.3":      `k3y%22t%2F%2B+%26%3C%C3%A9%3E%5Cx%27%25%24%3B%3D%3A%40%3F%2C%23%7E%21%28%2A%29%5B%5D%7C_-.end`,
		"a path segment of Go":             `k3y%22t%2F+%20&%3C%C3%A9%3E%5Cx%27%25$%3B=:@%3F%2C%23~%21%28%2A%29%5B%5D%7C_-.end`,
		"a password in a URL of Go":        `k3y%22t%2F+%20&%3C%C3%A9%3E%5Cx%27%25$;=%3A%40%3F,%23~%21%28%2A%29%5B%5D%7C_-.end`,
		"a password that RFC 3986 allows":  `k3y%22t%2F+%20&%3C%C3%A9%3E%5Cx'%25$;=%3A%40%3F,%23~!(*)%5B%5D%7C_-.end`,
		"a password in a URL of Node":      `k3y%22t%2F+%20&%3C%C3%A9%3E%5Cx'%$%3B%3D%3A%40%3F,%23~!(*)%5B%5D%7C_-.end`,
		"requote_uri of Python's requests": `k3y%22t/+%20&%3C%C3%A9%3E%5Cx'%25$;=:@?,#~!(*)[]%7C_-.end`,
	} {
		for _, text := range []string{encoded, lowerEscapes(encoded)} {
			if got := r.String("https://a:" + text + "@host"); got != "https://a:"+Mask+"@host" {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
	if got := r.String(strings.ToUpper(secret)); got != strings.ToUpper(secret) {
		t.Errorf("another text: %s", got)
	}
}
