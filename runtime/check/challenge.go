// SPDX-License-Identifier: MPL-2.0

package check

import (
	"net/url"
	"strings"
)

// challenge is an authentication scheme that a registry offers (RFC 9110,
// 11.6.1).
type challenge struct {
	scheme string // in lower case
	params map[string]string
}

// parseChallenges parses WWW-Authenticate headers. Quoted values, such as
// scopes, can contain commas. In each header, parsing stops at the first invalid
// part.
func parseChallenges(headers []string) []challenge {
	var all []challenge
	for _, h := range headers {
		for p := (&challengeParser{rest: h}); ; {
			c, ok := p.challenge()
			if !ok {
				break
			}
			all = append(all, c)
		}
	}
	return all
}

type challengeParser struct {
	rest string
	// scheme is the scheme of the next challenge, or "" if the parser has not
	// read this scheme yet.
	scheme string
}

const tokenChars = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func (p *challengeParser) token() string {
	p.rest = strings.TrimLeft(p.rest, " \t,")
	end := len(p.rest) - len(strings.TrimLeft(p.rest, tokenChars))
	t := p.rest[:end]
	p.rest = p.rest[end:]
	return t
}

func (p *challengeParser) challenge() (challenge, bool) {
	scheme := p.scheme
	p.scheme = ""
	if scheme == "" {
		scheme = p.token()
	}
	if scheme == "" {
		return challenge{}, false
	}
	c := challenge{scheme: strings.ToLower(scheme), params: map[string]string{}}
	for {
		name := p.token()
		if name == "" {
			return c, true
		}
		after := strings.TrimLeft(p.rest, " \t")
		if !strings.HasPrefix(after, "=") {
			p.scheme = name // the next challenge
			return c, true
		}
		p.rest = strings.TrimLeft(after[1:], " \t")
		c.params[strings.ToLower(name)] = p.value()
	}
}

func (p *challengeParser) value() string {
	if !strings.HasPrefix(p.rest, `"`) {
		return p.token()
	}
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; c {
		case '"':
			p.rest = p.rest[i+1:]
			return b.String()
		case '\\':
			if i++; i < len(p.rest) {
				b.WriteByte(p.rest[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	p.rest = ""
	return b.String()
}

// tokenURL returns the URL of the token service, with all challenge
// parameters except realm and error.
func (c *challenge) tokenURL(scope string) (*url.URL, bool) {
	u, err := url.Parse(c.params["realm"])
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, false
	}
	q := u.Query()
	for name, value := range c.params {
		if name != "realm" && name != "error" {
			q.Set(name, value)
		}
	}
	if q.Get("scope") == "" {
		q.Set("scope", scope)
	}
	u.RawQuery = q.Encode()
	return u, true
}
