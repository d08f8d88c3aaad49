// SPDX-License-Identifier: MPL-2.0

package check

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// checker checks the Kubernetes cluster and the namespace that a cluster block
// declares.
type checker struct {
	*api.Client
	declared *hclspec.Cluster
}

// Run checks whether the cluster meets the requirements of the jobs of a workspace.
// Results are in a fixed order. If the API server is unreachable or too old, Run
// returns only the result for the API server, without an error. Run fails only if
// the context ends.
func Run(ctx context.Context, client *api.Client, declared *hclspec.Cluster, ws *hclspec.Workspace, jobs []*resolve.Job) ([]cluster.CheckResult, error) {
	c := &checker{Client: client, declared: declared}
	version := c.checkVersion(ctx)
	if version.Result == cluster.ResultMissing || ctx.Err() != nil {
		return []cluster.CheckResult{version}, ctx.Err()
	}
	n := needsOf(ws, c.declared, jobs)
	checks := []func(context.Context) []cluster.CheckResult{
		c.checkCRD, single(c.checkEngine), single(c.checkNamespace), single(c.checkOpenPAI),
		func(ctx context.Context) []cluster.CheckResult { return c.checkPermissions(ctx, n) },
		func(ctx context.Context) []cluster.CheckResult { return c.checkClaims(ctx, n) },
		func(ctx context.Context) []cluster.CheckResult { return c.checkNamed(ctx, n) },
		func(ctx context.Context) []cluster.CheckResult { return c.checkNodes(ctx, n) },
		func(ctx context.Context) []cluster.CheckResult { return c.checkPodSecurity(ctx) },
		func(context.Context) []cluster.CheckResult {
			return []cluster.CheckResult{checkRuntimeImage(c.declared)}
		},
	}
	found := make([][]cluster.CheckResult, len(checks))
	var running sync.WaitGroup
	for i, check := range checks {
		running.Go(func() { found[i] = check(ctx) })
	}
	running.Wait()
	all := []cluster.CheckResult{version}
	for _, f := range found {
		all = append(all, f...)
	}
	return all, ctx.Err()
}

func single(check func(context.Context) cluster.CheckResult) func(context.Context) []cluster.CheckResult {
	return func(ctx context.Context) []cluster.CheckResult { return []cluster.CheckResult{check(ctx)} }
}

func (c *checker) inspect(ctx context.Context, path, what string, out any) error {
	return c.Do(ctx, api.Request{Method: http.MethodGet, Path: path, What: what}, out)
}

// unknown returns the result of a check whose request the API server rejected
// or did not respond to.
func unknown(check string, err error) cluster.CheckResult {
	f := cluster.CheckResult{Check: check, Result: cluster.ResultUnknown, Found: plainCause(err)}
	if apierrors.IsForbidden(err) {
		f.Found = "your permissions do not cover this check"
		f.Advice = message.Textf("%s", message.Hint{Kind: message.HintCheckAsAdministrator, Sentence: true})
	}
	return f
}

// plainCause returns the cause of an error, without the operation that the
// check already reports.
func plainCause(err error) string {
	var e *api.Error
	if errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}

// checkVersion checks whether the API server responds and supports
// server-side apply.
func (c *checker) checkVersion(ctx context.Context) cluster.CheckResult {
	f := cluster.CheckResult{Check: "API server"}
	var v struct{ Major, Minor, GitVersion string }
	err := c.inspect(ctx, "/version", "read the version of the API server", &v)
	if err != nil {
		f.Result, f.Found, f.Advice = cluster.ResultMissing, plainCause(err), api.Advice(err)
		if f.Advice.Empty() {
			f.Advice = message.Advice{Kind: message.AdviceConnection}.Text()
		}
		return f
	}
	f.Result, f.Found = cluster.ResultOK, v.GitVersion
	if minor, ok := parseMinorVersion(v.Major, v.Minor); ok && minor < minMinorVersion {
		f.Result = cluster.ResultMissing
		f.Found = fmt.Sprintf("%s; server-side apply requires Kubernetes 1.%d", v.GitVersion, minMinorVersion)
		f.Advice = message.Advice{Kind: message.AdviceNewerCluster}.Text()
	}
	return f
}
