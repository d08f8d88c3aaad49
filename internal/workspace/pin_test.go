// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func pinned() []*resolve.Job {
	return []*resolve.Job{{TaskRoles: []*resolve.TaskRole{
		{Image: resolve.Image{URI: "busybox:1.36"}, Steps: []*resolve.Step{{Fetch: []*resolve.Fetch{
			{URL: "http://127.0.0.1/a"}, {URL: "http://127.0.0.1/b", SHA256: "given"}, {URL: "http://127.0.0.1/c", Auth: "<% $secrets.x %>"},
			{URL: "http://127.0.0.1/<% $secrets.x %>"}, {URL: "data/a.zip"}, {URL: "http://127.0.0.1/a"},
		}}}},
		{Image: resolve.Image{URI: "busybox:1.36"}}, {Image: resolve.Image{URI: "busybox@sha256:" + strings.Repeat("0", 64)}},
	}}}
}

func TestJobsContainTheRecordedDigests(t *testing.T) {
	t.Parallel()
	loaded := load(t, unpack(t, digitsItems+digitsJob("./market")))
	jobs := pinned()
	if diff := cmp.Diff([]string{"busybox:1.36"}, Images(jobs)); diff != "" {
		t.Errorf("images (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"http://127.0.0.1/a"}, Downloads(jobs)); diff != "" {
		t.Errorf("downloads (-want +got)\n%s", diff)
	}
	digest, sum := "sha256:"+strings.Repeat("a", 64), strings.Repeat("b", 64)
	if err := loaded.LockDigests(map[string]string{"busybox:1.36": digest}, []*lockfile.Fetch{{URL: "http://127.0.0.1/a", SHA256: sum, Size: 1234}, {URL: "http://127.0.0.1/b", SHA256: sum}}); err != nil {
		t.Fatal(err)
	}
	loaded.Pin(jobs)
	role := jobs[0].TaskRoles[0]
	if role.Image.URI != "busybox:1.36@"+digest || role.Steps[0].Fetch[0].SHA256 != sum || role.Steps[0].Fetch[1].SHA256 != "given" {
		t.Errorf("the role has the image %s and the downloads %+v", role.Image.URI, role.Steps[0].Fetch[:2])
	}
}
