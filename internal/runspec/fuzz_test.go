// SPDX-License-Identifier: MPL-2.0

package runspec

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzParse checks that a parsed specification has a supported version and
// survives a round trip.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"version":1,"framework":"f","role":"worker","commands":["true"],"steps":[{"address":"a","callbacks":[{"event":"taskStarts"}]}]}`))
	f.Add([]byte(`{"version":1,"stop_grace_seconds":-1}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, text []byte) {
		spec, err := Parse("run.json", text)
		if err != nil {
			return
		}
		if spec.Version < 1 || spec.Version > Version {
			t.Fatalf("version %d is read", spec.Version)
		}
		written, err := json.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse("run.json", written)
		if err != nil {
			t.Fatalf("%v in %s", err, written)
		}
		rewritten, err := json.Marshal(again)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(written), string(rewritten)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}
