// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

// answers is a transport that returns the same body in every response.
type answers []byte

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(a)), Request: r}, nil
}

// FuzzAnswers checks that every item in a response is from the requested
// server.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`[{"id":"1","name":"x","type":"data","author":"a","protocol":"protocolVersion: 2\nname: x\ntype: data\nuri: [a]\n","ItemTags":[{"name":"t"}]}]`))
	f.Add([]byte(`[{"protocol":"a: &a [*a]"},{"protocol":""},null]`))
	f.Add([]byte(`{"id":"1","protocol":"type: job\nname: j\n"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r := &rest{base: "https://items.example", client: newClient("https://items.example", "", Options{Transport: answers(body)})}
		for _, q := range []Query{{}, {ID: "1"}} {
			l, err := r.Items(context.Background(), q)
			if err != nil {
				continue
			}
			for _, i := range l.Items {
				if !strings.HasPrefix(i.Place, "rest::https://items.example/items/") {
					t.Errorf("an item from %q", i.Place)
				}
			}
		}
	})
}

// FuzzTree checks the parser for the output of git on an untrusted tree. The
// parser never returns a negative file size. The client never reads links,
// hidden files or files in hidden directories.
func FuzzTree(f *testing.F) {
	f.Add("100644 blob 1234 12\titems/a.yaml", []byte("1234 blob 3\nabc\n"))
	f.Add("120000 blob 1234 -1\tlink.yaml", []byte("1234 missing\n"))
	f.Add("160000 commit 1234 -\tmodule", []byte("\n"))
	f.Fuzz(func(t *testing.T, line string, out []byte) {
		e, ok := parseTreeEntry(line)
		if !ok {
			return
		}
		if e.size < 0 {
			t.Errorf("parsed the size %d", e.size)
		}
		c := &clone{repository: &repository{limits: Options{}.limits()}}
		if c.wants(e, &Listing{}) && (e.mode == modeLink || strings.HasPrefix(e.name, ".")) {
			t.Errorf("%q is wanted", line)
		}
		content, rest, ok := cutObject(out, e)
		if ok && int64(len(content)) != e.size || len(content)+len(rest) > len(out) {
			t.Errorf("%d bytes for a file of %d", len(content), e.size)
		}
	})
}
