// SPDX-License-Identifier: MPL-2.0

package check

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChallengesOfARegistryAreRead(t *testing.T) {
	t.Parallel()
	all := cmp.AllowUnexported(challenge{})
	for name, c := range map[string]struct {
		headers []string
		want    []challenge
	}{
		"nothing":               {nil, nil},
		"a scope with commas":   {[]string{`Bearer realm="https://a/t",service="s",scope="repository:x/y:pull,push"`}, []challenge{{"bearer", map[string]string{"realm": "https://a/t", "service": "s", "scope": "repository:x/y:pull,push"}}}},
		"spaces and other case": {[]string{`BEARER  Realm = "r" , SERVICE=s`}, []challenge{{"bearer", map[string]string{"realm": "r", "service": "s"}}}},
		"two in one header":     {[]string{`Basic realm="x", Bearer realm="y"`}, []challenge{{"basic", map[string]string{"realm": "x"}}, {"bearer", map[string]string{"realm": "y"}}}},
		"two headers":           {[]string{`Negotiate`, `Basic realm="x"`}, []challenge{{"negotiate", map[string]string{}}, {"basic", map[string]string{"realm": "x"}}}},
		"an escaped quote":      {[]string{`Basic realm="a \"b\" c"`}, []challenge{{"basic", map[string]string{"realm": `a "b" c`}}}},
		"an unclosed quote":     {[]string{`Basic realm="a`}, []challenge{{"basic", map[string]string{"realm": "a"}}}},
		"rubbish":               {[]string{`"=,;`}, nil},
	} {
		if diff := cmp.Diff(c.want, parseChallenges(c.headers), all); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func FuzzParseChallenges(f *testing.F) {
	for _, s := range []string{`Bearer realm="https://a/t",scope="a:b,c"`, `Basic realm=x, Bearer a=b`, `=`, `a=`, `a b=`, `"\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		for _, c := range parseChallenges([]string{header}) {
			if c.scheme == "" {
				t.Errorf("a challenge without a scheme in %q", header)
			}
			_, _ = c.tokenURL("s")
		}
	})
}
