// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestVerifyNamesWhatCanNoLongerBeHad(t *testing.T) {
	t.Parallel()
	errGone := errors.New("the registry example.org does not have it")
	sources := operation.Sources{
		Digest: func(_ context.Context, image string) (string, error) {
			switch image {
			case "gone@sha256:1":
				return "", errGone
			case "far":
				return "", errors.New("the registry example.org cannot be reached")
			}
			return "sha256:2", nil
		},
		Gone: func(err error) bool { return errors.Is(err, errGone) },
		Sum: func(_ context.Context, url string) (string, error) {
			if url == "https://example.org/gone" {
				return "", errors.New("status 404")
			}
			return "aaaa", nil
		},
	}
	job := func(cluster string, images ...string) *resolve.Job {
		j := &resolve.Job{Cluster: cluster}
		for _, i := range images {
			j.TaskRoles = append(j.TaskRoles, &resolve.TaskRole{Image: resolve.Image{URI: i}})
		}
		return j
	}
	fetching := job(resolve.LocalCluster, "gone@sha256:1")
	fetching.TaskRoles[0].Steps = []*resolve.Step{{Fetch: []*resolve.Fetch{
		{URL: "https://example.org/same", SHA256: "AAAA"}, {URL: "https://example.org/gone"}, {URL: "https://example.org/seen"},
		{URL: "https://example.org/private", Auth: "<% $secrets.token %>"}, {URL: "here.csv"},
	}}}
	for name, c := range map[string]struct {
		job             *resolve.Job
		missing, verify []string
	}{
		"an image that is there":            {job("gpu", "there@sha256:2"), nil, nil},
		"an image that is gone":             {job("gpu", "there", "gone@sha256:1"), []string{"image gone@sha256:1: " + errGone.Error()}, []string{"image gone@sha256:1: " + errGone.Error()}},
		"a registry that cannot be reached": {job("gpu", "far"), nil, []string{"image far: the registry example.org cannot be reached"}},
		"downloads, without images when local": {fetching, nil, []string{
			"download https://example.org/gone: status 404",
			"download https://example.org/seen: its sha256 is aaaa now, and the run had bbbb",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := operation.RecordedRun{Run: &history.Run{Address: "job.a", Number: 1, Data: []history.Data{{URL: "https://example.org/seen", SHA256: "bbbb"}}}}
			problems := func(err error) []string {
				var u *operation.Unrepeatable
				if errors.As(err, &u) {
					return u.Problems
				}
				return nil
			}
			if diff := cmp.Diff(c.missing, problems(sources.Missing(t.Context(), "job.a@1", c.job))); diff != "" {
				t.Errorf("missing:\n%s", diff)
			}
			if diff := cmp.Diff(c.verify, problems(sources.Verify(t.Context(), run, c.job))); diff != "" {
				t.Errorf("verify:\n%s", diff)
			}
		})
	}
}
