// SPDX-License-Identifier: MPL-2.0

package check

import (
	"context"
	"net/http"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// databaseController is the name of the OpenPAI StatefulSet that deletes the
// Frameworks of other programs. retainMode is the environment variable that
// disables this deletion. Source: microsoft/pai: src/database-controller/deploy.
const (
	databaseController = "database-controller-sts"
	retainMode         = "RETAIN_MODE_ENABLED"
)

// RunsOpenPAI reports whether the client's namespace contains an OpenPAI
// component that would delete applied jobs.
func RunsOpenPAI(ctx context.Context, client *api.Client) (bool, error) {
	var set struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						Env []struct{ Name, Value string } `json:"env"`
					} `json:"containers"`
				} `json:"spec"`
			} `json:"template"`
		} `json:"spec"`
	}
	err := client.Do(ctx, api.Request{
		Method: http.MethodGet, Path: api.StatefulSets.Path(client.Namespace(), databaseController), What: "look for OpenPAI's database-controller",
	}, &set)
	switch {
	case api.IsNotFound(err):
		return false, nil
	case err != nil:
		return false, err
	}
	for _, container := range set.Spec.Template.Spec.Containers {
		for _, e := range container.Env {
			if e.Name == retainMode && e.Value == "true" {
				return false, nil
			}
		}
	}
	return true, nil
}

func (c *checker) checkOpenPAI(ctx context.Context) cluster.CheckResult {
	f := cluster.CheckResult{Check: "no living OpenPAI", Result: cluster.ResultOK, Found: "no component deletes Frameworks of other owners"}
	switch living, err := RunsOpenPAI(ctx, c.Client); {
	case err != nil:
		return unknown(f.Check, err)
	case living:
		f.Result = cluster.ResultMissing
		f.Found = "OpenPAI's database-controller runs here and deletes every Framework that it did not create"
		f.Advice = message.Advice{Kind: message.AdviceLivingOpenPAI}.Text()
	}
	return f
}
