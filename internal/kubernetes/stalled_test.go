// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// An incomplete job is stalled if job and Lease have been unchanged for the
// duration of a Lease.
func TestAnUnchangedIncompleteJobIsStalled(t *testing.T) {
	t.Parallel()
	type observation struct {
		after      time.Duration // since the previous read
		reason     cluster.Stalled
		job, lease int // resource versions; 0 means no Lease
	}
	const lasts = 15 * time.Second
	tests := map[string]struct {
		observations []observation
		want         []bool
	}{
		"nothing changes":                        {[]observation{{0, "half", 1, 1}, {lasts - 1, "half", 1, 1}, {1, "half", 1, 1}}, []bool{false, false, true}},
		"there is no Lease":                      {[]observation{{0, "half", 1, 0}}, []bool{true}},
		"the Lease is renewed":                   {[]observation{{0, "half", 1, 1}, {lasts, "half", 1, 2}, {lasts, "half", 1, 3}}, []bool{false, false, false}},
		"a command is processing the job":        {[]observation{{0, "half", 1, 1}, {lasts, "half", 2, 1}, {lasts, "half", 2, 1}}, []bool{false, false, true}},
		"what is missing changes":                {[]observation{{0, "half", 1, 1}, {lasts, "other half", 1, 1}}, []bool{false, false}},
		"the job was complete in between":        {[]observation{{0, "half", 1, 1}, {1, "", 1, 1}, {lasts, "half", 1, 1}}, []bool{false, false, false}},
		"the clock was set back in the meantime": {[]observation{{0, "half", 1, 1}, {-time.Hour, "half", 1, 1}, {time.Hour + lasts, "half", 1, 1}}, []bool{false, false, true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var now time.Time
			var held int
			c := answeredBy(t, Options{Workspace: "vision", Now: func() time.Time { return now }}, func(w http.ResponseWriter, _ *http.Request) {
				if held == 0 {
					http.NotFound(w, nil)
					return
				}
				fmt.Fprintf(w, `{"metadata":{"name":"openpai-vision","resourceVersion":"%d"}}`, held)
			})
			var got []bool
			for _, l := range tt.observations {
				now, held = now.Add(l.after), l.lease
				reason, err := c.stalled(t.Context(), "mnist", l.reason, fmt.Sprint(l.job), c)
				if err != nil || reason != "" && reason != l.reason {
					t.Fatalf("%q, %v", reason, err)
				}
				got = append(got, reason != "")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("stalled (-want +got):\n%s", diff)
			}
		})
	}
}

// answeredBy returns a cluster whose API server uses the given handler.
func answeredBy(t testing.TB, o Options, answer http.HandlerFunc) *Cluster {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	host, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Open(&hclspec.Cluster{Name: "gpu"}, o)
	if err != nil {
		t.Fatal(err)
	}
	c.connectOnce.Do(func() {
		c.client, c.namespace = api.New(server.Client(), host, "default", api.DefaultTimeouts), "default"
	})
	return c
}
