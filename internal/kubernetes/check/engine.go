// SPDX-License-Identifier: MPL-2.0

package check

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

var installAdvice = message.Advice{Kind: message.AdviceInstall}.Text()

func (c *checker) checkCRD(ctx context.Context) []cluster.CheckResult {
	f := cluster.CheckResult{Check: "Framework CRD"}
	var group struct{ Versions []struct{ Version string } }
	err := c.inspect(ctx, "/apis/"+framework.Group, "look up the Framework CRD", &group)
	switch {
	case api.IsNotFound(err):
		f.Result, f.Found, f.Advice = cluster.ResultMissing, "not installed", installAdvice
		return []cluster.CheckResult{f}
	case err != nil:
		return []cluster.CheckResult{unknown(f.Check, err)}
	}
	var versions []string
	for _, v := range group.Versions {
		versions = append(versions, v.Version)
	}
	f.Found = framework.Group + "/" + strings.Join(versions, ", ")
	if !slices.Contains(versions, "v1") {
		f.Result, f.Advice = cluster.ResultMissing, message.Advice{Kind: message.AdviceInstallV1}.Text()
		return []cluster.CheckResult{f}
	}
	f.Result = cluster.ResultOK
	return []cluster.CheckResult{f}
}

// enginePod is the part of a Pod that shows whether FrameworkController is
// running.
type enginePod struct {
	Metadata struct{ Name, Namespace string } `json:"metadata"`
	Status   struct {
		Phase      string                          `json:"phase"`
		Conditions []struct{ Type, Status string } `json:"conditions"`
	} `json:"status"`
}

// checkEngine looks for the Pods of FrameworkController.
// FrameworkController's examples, OpenPAI and our manifests use the same
// label.
func (c *checker) checkEngine(ctx context.Context) cluster.CheckResult {
	const name = "FrameworkController"
	var list struct{ Items []enginePod }
	q := url.Values{"labelSelector": {"app=frameworkcontroller"}}
	err := c.Do(ctx, api.Request{Method: "GET", Path: "/api/v1/pods", Query: q, What: "look for FrameworkController"}, &list)
	if apierrors.IsForbidden(err) {
		return c.checkUnseen(ctx, unknown(name, err))
	}
	if err != nil {
		return unknown(name, err)
	}
	return evaluateEngine(name, list.Items)
}

// engineDelay is the time within which FrameworkController processes a new
// Framework.
const engineDelay = 10 * time.Second

// checkUnseen looks for a Framework that FrameworkController has not processed. It
// replaces checkEngine for users who may not read FrameworkController's Pods.
func (c *checker) checkUnseen(ctx context.Context, f cluster.CheckResult) cluster.CheckResult {
	all, err := api.List[*framework.Framework](ctx, c.Client, api.Frameworks, nil, "", 0)
	if err != nil {
		return f
	}
	return evaluateUnseen(f, all, time.Now())
}

func evaluateUnseen(f cluster.CheckResult, all []*framework.Framework, now time.Time) cluster.CheckResult {
	for _, fw := range all {
		created := fw.Metadata.CreationTimestamp
		if fw.Status == nil && fw.Spec.ExecutionType == framework.ExecutionStart && created != nil && now.Sub(*created) > engineDelay {
			f.Result, f.Found = cluster.ResultMissing, fmt.Sprintf("it has not processed the Framework %s, which was created %s ago", fw.Metadata.Name, now.Sub(*created).Round(time.Second))
			f.Advice = message.Advice{Kind: message.AdviceFindEngine}.Text()
			return f
		}
	}
	return f
}

func evaluateEngine(check string, pods []enginePod) cluster.CheckResult {
	f := cluster.CheckResult{Check: check, Result: cluster.ResultOK}
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
		f.Result, f.Found = cluster.ResultWarning, fmt.Sprintf("runs %d times: %s", len(ready), strings.Join(ready, ", "))
		f.Advice = message.Advice{Kind: message.AdviceOneEngine}.Text()
	case len(other) > 0:
		f.Result, f.Found = cluster.ResultMissing, "not ready: "+strings.Join(other, ", ")
		f.Advice = message.Advice{Kind: message.AdviceReadPod}.Text()
	default:
		f.Result, f.Found, f.Advice = cluster.ResultMissing, "no Pod has the label app=frameworkcontroller", installAdvice
	}
	return f
}
