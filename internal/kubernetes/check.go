package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Result is how a check ends on any cluster.
type Result = cluster.Result

// Finding is what a check of any cluster found.
type Finding = cluster.Finding

// The results.
const (
	ResultOK      = cluster.ResultOK
	ResultWarning = cluster.ResultWarning
	ResultMissing = cluster.ResultMissing
	ResultUnknown = cluster.ResultUnknown
)

// Check finds what the cluster lacks for the jobs of a workspace, in a fixed
// order. It writes nothing. A cluster that cannot be reached at all is one
// finding, not an error; an error is a kubeconfig that cannot be read.
func (c *Cluster) Check(ctx context.Context, ws *hclspec.Workspace, jobs []*resolve.Job) ([]Finding, error) {
	if _, err := c.connect(); err != nil {
		return nil, err
	}
	version := c.checkVersion(ctx)
	if version.Result == ResultMissing || ctx.Err() != nil {
		return []Finding{version}, ctx.Err()
	}
	n := needsOf(ws, c.declared, jobs)
	checks := []func(context.Context) []Finding{
		c.checkCRD, one(c.checkEngine), one(c.checkNamespace), one(c.checkOpenPAI),
		func(ctx context.Context) []Finding { return c.checkPermissions(ctx, n) },
		func(ctx context.Context) []Finding { return c.checkClaims(ctx, n) },
		func(ctx context.Context) []Finding { return c.checkNamed(ctx, n) },
		func(ctx context.Context) []Finding { return c.checkNodes(ctx, n) },
		func(ctx context.Context) []Finding { return c.checkPodSecurity(ctx) },
		func(context.Context) []Finding { return []Finding{checkRuntimeImage(c.declared)} },
	}
	found := make([][]Finding, len(checks))
	var running sync.WaitGroup
	for i, check := range checks {
		running.Go(func() { found[i] = check(ctx) })
	}
	running.Wait()
	all := []Finding{version}
	for _, f := range found {
		all = append(all, f...)
	}
	return all, ctx.Err()
}

func one(check func(context.Context) Finding) func(context.Context) []Finding {
	return func(ctx context.Context) []Finding { return []Finding{check(ctx)} }
}

// inspect reads what is at a path, for a check.
func (c *Cluster) inspect(ctx context.Context, path, what string, out any) error {
	return c.do(ctx, request{method: http.MethodGet, path: path, what: what}, out)
}

// unknown is the finding when the API server did not tell.
func unknown(check string, err error) Finding {
	f := Finding{Check: check, Result: ResultUnknown, Found: plainCause(err)}
	if apierrors.IsForbidden(err) {
		f.Found = "you may not read this"
		f.Advice = "Let an administrator run this command."
	}
	return f
}

// plainCause is an error without the operation, which the check names.
func plainCause(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}

// checkVersion also finds whether the cluster can be reached at all.
func (c *Cluster) checkVersion(ctx context.Context) Finding {
	f := Finding{Check: "API server"}
	var v struct{ Major, Minor, GitVersion string }
	err := c.inspect(ctx, "/version", "read the version of the API server", &v)
	if err != nil {
		f.Result, f.Found, f.Advice = ResultMissing, plainCause(err), advice(err)
		if f.Advice == "" {
			f.Advice = "Check kubeconfig and context of the cluster block."
		}
		return f
	}
	f.Result, f.Found = ResultOK, v.GitVersion
	if minor, ok := minorOf(v.Major, v.Minor); ok && minor < oldest {
		f.Result = ResultMissing
		f.Found = fmt.Sprintf("%s; server-side apply needs 1.%d", v.GitVersion, oldest)
		f.Advice = "Use a newer cluster."
	}
	return f
}
