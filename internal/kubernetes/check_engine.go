package kubernetes

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

const installAdvice = `Let an administrator apply: openpai cluster manifests`

// checkCRD looks for the Framework kind, its version, and the parts of its
// schema without which the API server would drop what is sent.
func (c *Cluster) checkCRD(ctx context.Context) []Finding {
	f := Finding{Check: "Framework CRD"}
	var group struct{ Versions []struct{ Version string } }
	err := c.inspect(ctx, "/apis/"+framework.Group, "look for the Framework CRD", &group)
	switch {
	case isNotFound(err):
		f.Result, f.Found, f.Advice = ResultMissing, "not installed", installAdvice
		return []Finding{f}
	case err != nil:
		return []Finding{unknown(f.Check, err)}
	}
	var versions []string
	for _, v := range group.Versions {
		versions = append(versions, v.Version)
	}
	f.Found = framework.Group + "/" + strings.Join(versions, ", ")
	if !slices.Contains(versions, "v1") {
		f.Result, f.Advice = ResultMissing, "The version v1 is needed. "+installAdvice
		return []Finding{f}
	}
	f.Result = ResultOK
	return []Finding{f}
}

// enginePods is the part of Pods that tells whether FrameworkController runs.
type enginePod struct {
	Metadata struct{ Name, Namespace string } `json:"metadata"`
	Status   struct {
		Phase      string                          `json:"phase"`
		Conditions []struct{ Type, Status string } `json:"conditions"`
	} `json:"status"`
}

// checkEngine looks for the Pods of FrameworkController, whose label is the
// same in its own examples, in OpenPAI and in our manifests.
func (c *Cluster) checkEngine(ctx context.Context) Finding {
	const name = "FrameworkController"
	var list struct{ Items []enginePod }
	q := url.Values{"labelSelector": {"app=frameworkcontroller"}}
	err := c.do(ctx, request{method: "GET", path: "/api/v1/pods", query: q, what: "look for FrameworkController"}, &list)
	if err != nil {
		return unknown(name, err)
	}
	return judgeEngine(name, list.Items)
}

func judgeEngine(check string, pods []enginePod) Finding {
	f := Finding{Check: check, Result: ResultOK}
	var ready, other []string
	for _, p := range pods {
		at := p.Metadata.Namespace + "/" + p.Metadata.Name
		if slices.Contains(p.Status.Conditions, struct{ Type, Status string }{"Ready", "True"}) {
			ready = append(ready, at)
		} else {
			other = append(other, at+" ("+p.Status.Phase+")")
		}
	}
	switch {
	case len(ready) == 1:
		f.Found = "runs as Pod " + ready[0]
	case len(ready) > 1:
		f.Result, f.Found = ResultWarning, fmt.Sprintf("runs %d times: %s", len(ready), strings.Join(ready, ", "))
		f.Advice = "Two instances on the same namespaces undo each other's work; keep one."
	case len(other) > 0:
		f.Result, f.Found = ResultMissing, "not ready: "+strings.Join(other, ", ")
		f.Advice = "Look at the events and the log of that Pod."
	default:
		f.Result, f.Found, f.Advice = ResultMissing, "no Pod has the label app=frameworkcontroller", installAdvice
	}
	return f
}
