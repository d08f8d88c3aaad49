// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hashed is a definition in the old format, with a hash in each key.
const hashed = `{"use":"prerequisite.script.unzip#c12f319ccf20ad77","prerequisites":{` +
	`"prerequisite.script.unzip#c12f319ccf20ad77":{"callbacks":[{"commands":["echo unzip"],"event":"taskStarts"}],"name":"unzip","require":[{"use":"prerequisite.script.wget#256eecdd8fc0e2c3"}],"type":"script"},` +
	`"prerequisite.script.wget#256eecdd8fc0e2c3":{"callbacks":[{"commands":["echo wget"],"event":"taskStarts"}],"name":"wget","type":"script"}}}`

const flat = `{"prerequisite.script.unzip":{"callbacks[0].commands[0]":"echo unzip","callbacks[0].event":"taskStarts","name":"unzip","require[0].use":"prerequisite.script.wget","type":"script"},` +
	`"prerequisite.script.wget":{"callbacks[0].commands[0]":"echo wget","callbacks[0].event":"taskStarts","name":"wget","type":"script"},"use":"prerequisite.script.unzip"}`

func TestDefinitionsAreReadAndWritten(t *testing.T) {
	t.Parallel()
	const item = `{"prerequisite.data.mnist":{"hash":"h1:610c2bfe56a6","marketplace":"market","name":"mnist","type":"data","version":"1.0"},"use":"prerequisite.data.mnist"}`
	tests := map[string]struct{ text, want string }{
		"what it requires":        {flat, flat},
		"keys with hashes":        {hashed, flat},
		"an item":                 {item, item},
		"a storage with a hash":   {`{"use":"storage.nfs#c9","storages":{"storage.nfs#c9":{"nfs":{"path":"/x"}}}}`, `{"storage.nfs":{"nfs.path":"/x"},"use":"storage.nfs"}`},
		"two bodies with one key": {`{"use":"prerequisite.script.a#1","prerequisites":{"prerequisite.script.a#1":{"require":[{"use":"prerequisite.script.a#2"}]},"prerequisite.script.a#2":{"name":"a"}}}`, `{"prerequisite.script.a":{"require[0].use":"prerequisite.script.a#2"},"prerequisite.script.a#2":{"name":"a"},"use":"prerequisite.script.a"}`},
		"a name":                  {"mnist", ""},
		"no use":                  {`{"prerequisite.script.a":{}}`, ""},
		"a body that is a number": {`{"use":"prerequisite.script.a","prerequisite.script.a":1}`, ""},
		"an invalid path":         {`{"use":"prerequisite.script.a","prerequisite.script.a":{"a[":1}}`, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := ""
			if d, ok := parseDefinition(tt.text); ok {
				got = d.text()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzParseDefinition checks that writing and parsing a definition preserves
// its meaning.
func FuzzParseDefinition(f *testing.F) {
	f.Add(hashed)
	f.Add(flat)
	f.Add(`{"use":"storage[\"a\"]","storage[\"a\"]":{"hash":"x"},"prerequisites":{"#":{}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, ok := parseDefinition(text)
		if !ok || d.all()["use"] != nil || d.all()["prerequisites"] != nil || d.all()["storages"] != nil {
			return
		}
		again, ok := parseDefinition(d.text())
		if !ok || again.text() != d.text() {
			t.Errorf("%s\nis written as\n%s", text, d.text())
		}
	})
}

func TestAReferenceHasOneText(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	for name, tt := range map[string]struct {
		reference tree
		want      string
	}{
		"neither": {tree{"with": tree{"a": "b"}}, "This reference requires the attribute use."},
		"both":    {tree{"use": "a", "definition": "b"}, "use and definition are both set."},
	} {
		t.Run(name, func(t *testing.T) {
			text := tf.resource("openpai_job").plan(worker(job([]string{"true"}), tree{"prerequisites": []any{tt.reference}})).diagnostics
			if strings.Count(text, tt.want) != 1 {
				t.Errorf("%s", text)
			}
		})
	}
}
