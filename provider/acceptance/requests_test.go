// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
)

// TestEachResourceAddsFewRequests counts the API requests for each additional resource.
// It also counts the other requests in a run: for the workspace, for permissions, and
// for the final cleanup. Resources are created one after another, because concurrent
// resources would share the Lease of the workspace. A slow machine can only increase
// the number of requests. For example, a cache can expire, or the provider can read an
// ending Framework again. Therefore the test measures up to three times and uses the
// minimum. It tolerates one additional request in a run.
func TestEachResourceAddsFewRequests(t *testing.T) {
	// few and more exceed the maximum number of names that the provider reads
	// with separate requests.
	const few, more = 10, 14
	const tolerated = 1.0 / (more - few)
	tests := map[string]struct {
		resources                  func(n int) string
		create, noOp, destroy      float64 // maximum requests for each additional resource
		createOnce, noOpOnce, gone float64 // maximum other requests per run
	}{
		"jobs":     {many, 11, 0, 12.5, 45, 5, 20},
		"storages": {manyStorages, 7, 1, 7, 5, 5, 5},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limits := map[string][2]float64{"create": {tt.create, tt.createOnce}, "no-op": {tt.noOp, tt.noOpOnce}, "destroy": {tt.destroy, tt.gone}}
			least := map[int]map[string]float64{few: {}, more: {}}
			var above []string
			for round := 1; round <= 3; round++ {
				for _, n := range []int{few, more} {
					for phase, requests := range lifeRequests(t, fmt.Sprintf("%s-%d-%d", name, n, round), tt.resources(n)) {
						if known, ok := least[n][phase]; !ok || requests < known {
							least[n][phase] = requests
						}
					}
				}
				above = nil
				for phase, most := range limits {
					each := (least[more][phase] - least[few][phase]) / (more - few)
					once := least[few][phase] - few*each
					result := fmt.Sprintf("%s: %.2f requests for each, want at most %.2f; %.1f once, want at most %.0f", phase, each, most[0], once, most[1])
					t.Log(result)
					if each > most[0]+tolerated || once > most[1] {
						above = append(above, result)
					}
				}
				if above == nil {
					return
				}
			}
			t.Error(strings.Join(above, "\n"))
		})
	}
}

// lifeRequests returns the numbers of requests for create, a plan without
// changes, and destroy.
func lifeRequests(t *testing.T, name, resources string) map[string]float64 {
	t.Helper()
	p, count := counted(t, name, resources)
	sent := map[string]float64{}
	p.apply("-parallelism=1")
	sent["create"] = count()
	p.must("plan", "-detailed-exitcode", "-parallelism=1")
	sent["no-op"] = count()
	p.must("destroy", "-auto-approve", "-input=false", "-parallelism=1")
	sent["destroy"] = count()
	return sent
}

func manyStorages(n int) string {
	return fmt.Sprintf(`resource "openpai_storage" "many" {
  count      = %d
  name       = "many-${count.index}"
  on_destroy = "delete"
  nfs        = { server = "nfs.example.org", path = "/many-${count.index}" }
}
`, n)
}

// counted returns a project whose provider accesses the API server through a
// proxy. The returned function returns the number of requests since its last
// call.
func counted(t *testing.T, name, resources string) (*project, func() float64) {
	t.Helper()
	proxy, err := fault.New(apiServer(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Close)
	p := newProject(t, "tofu")
	at := kubernetesEnvironment(t, p.dir)
	kubeconfig, err := apiServer(t).WriteKubeconfig("requests-"+name, proxy.URL, namespaceOf(at))
	if err != nil {
		t.Fatal(err)
	}
	p.configure(strings.Replace(at.provider, apiServer(t).Kubeconfig, kubeconfig, 1), resources)
	before := 0
	return p, func() float64 {
		all := proxy.Requests()
		since := all[before:]
		before = len(all)
		return float64(len(slices.DeleteFunc(slices.Clone(since), isTimed)))
	}
}

// isTimed reports whether time determines how many requests like r are sent.
// Examples are Lease renewals, and reads of the workspace, which the program
// caches for a limited time.
func isTimed(r fault.Request) bool {
	isList := strings.Contains(r.Query, "limit=500") && !strings.Contains(r.Query, "%3Dhistory")
	isLook := r.Method == http.MethodGet && (isList || strings.HasSuffix(r.Path, "/secrets/openpai-team") || strings.HasSuffix(r.Path, "/openpai-storage-permissions"))
	return isLook || r.Method == http.MethodPatch && strings.Contains(r.Path, "/leases/")
}
