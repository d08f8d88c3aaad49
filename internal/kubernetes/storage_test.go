// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestTheOwnersOfStoragesAreRequestedOnce(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		status int
		body   string
		owned  bool
		fails  bool
	}{
		"a claim with an owner":         {http.StatusOK, `{"items":[{"metadata":{"name":"vision-data","annotations":{"openpai.org/declared-by":"terraform"}}}]}`, true, false},
		"a claim that is being deleted": {http.StatusOK, `{"items":[{"metadata":{"name":"vision-data","deletionTimestamp":"2026-11-23T00:00:00Z","annotations":{"openpai.org/declared-by":"terraform"}}}]}`, false, false},
		"a claim of a job":              {http.StatusOK, `{"items":[{"metadata":{"name":"vision-data"}}]}`, false, false},
		"the user may not list claims":  {http.StatusForbidden, `{"kind":"Status","code":403,"reason":"Forbidden"}`, false, false},
		"the server rejects requests":   {http.StatusBadRequest, `{"kind":"Status","code":400,"reason":"BadRequest"}`, false, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int32
			c := answeredBy(t, Options{Workspace: "vision"}, func(w http.ResponseWriter, _ *http.Request) {
				requests.Add(1)
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(tt.status)
				_, _ = w.Write([]byte(tt.body))
			})
			s := &hclspec.Storage{Name: "data", NFS: &hclspec.NFSVolume{Server: "files.example.org", Path: "/export"}}
			for range 2 {
				if owned, err := c.HasOwner(t.Context(), s); owned != tt.owned || (err != nil) != tt.fails {
					t.Errorf("%t, %v", owned, err)
				}
			}
			if n := requests.Load(); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestTheOwnerOfAStorageIsReadInEachCall(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		status int
		body   string
		owned  bool
		fails  bool
	}{
		"a claim with an owner":    {http.StatusOK, `{"metadata":{"name":"vision-data","annotations":{"openpai.org/declared-by":"terraform"}}}`, true, false},
		"a claim that is deleted":  {http.StatusOK, `{"metadata":{"name":"vision-data","deletionTimestamp":"2026-11-23T00:00:00Z","annotations":{"openpai.org/declared-by":"terraform"}}}`, false, false},
		"a claim of a job":         {http.StatusOK, `{"metadata":{"name":"vision-data"}}`, false, false},
		"no claim":                 {http.StatusNotFound, `{"kind":"Status","code":404,"reason":"NotFound"}`, false, false},
		"claims that are not read": {http.StatusForbidden, `{"kind":"Status","code":403,"reason":"Forbidden"}`, false, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int32
			c := answeredBy(t, Options{Workspace: "vision"}, func(w http.ResponseWriter, _ *http.Request) {
				requests.Add(1)
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(tt.status)
				_, _ = w.Write([]byte(tt.body))
			})
			s := &hclspec.Storage{Name: "data", NFS: &hclspec.NFSVolume{Server: "files.example.org", Path: "/export"}}
			for range 2 {
				if owned, err := c.IsOwned(t.Context(), s); owned != tt.owned || (err != nil) != tt.fails {
					t.Errorf("%t, %v", owned, err)
				}
			}
			if n := requests.Load(); n != 2 {
				t.Errorf("%d requests", n)
			}
		})
	}
}
