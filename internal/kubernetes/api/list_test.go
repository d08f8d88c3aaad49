// SPDX-License-Identifier: MPL-2.0

package api

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// On an API server, the continue token of a list expires after a few minutes.
func TestAListWhosePagesExpireBeginsAgain(t *testing.T) {
	t.Parallel()
	const expired = `{"kind": "Status", "status": "Failure", "code": 410, "reason": "Expired", "message": "the provided continue parameter is too old"}`
	for name, tt := range map[string]struct {
		expires int // number of times
		want    []string
		fails   bool
	}{
		"never":          {expires: 0, want: []string{"a", "b"}},
		"once":           {expires: 1, want: []string{"a", "b"}},
		"with each page": {expires: 1000, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			remaining := tt.expires
			c := clientOf(t, func(w http.ResponseWriter, r *http.Request) {
				switch at := r.URL.Query().Get("continue"); {
				case at == "":
					fmt.Fprint(w, `{"metadata": {"continue": "next"}, "items": [{"metadata": {"name": "a"}}]}`)
				case remaining > 0:
					remaining--
					w.WriteHeader(http.StatusGone)
					fmt.Fprint(w, expired)
				default:
					fmt.Fprint(w, `{"metadata": {}, "items": [{"metadata": {"name": "b"}}]}`)
				}
			})
			found, err := List[Header](t.Context(), c, ConfigMaps, nil, MetadataOnlyList, 0)
			if (err != nil) != tt.fails {
				t.Fatalf("error %v", err)
			}
			var names []string
			for _, h := range found {
				names = append(names, h.Metadata.Name)
			}
			if diff := cmp.Diff(tt.want, names); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
