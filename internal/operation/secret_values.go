// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// valueReader reads the values of secrets for one plan. It reads each key of a
// Kubernetes Secret once, and only if the plan compares the value.
type valueReader struct {
	declared func(*resolve.Secret) (string, error)
	clusters map[string]cluster.Cluster
	unknown  func(*hclspec.Secret) bool
	values   map[keyPlace]keyValue
	failed   error // the first error other than a forbidden or missing Secret
}

// keyPlace identifies a key of a Kubernetes Secret.
type keyPlace struct{ cluster, name, key string }

type keyValue struct {
	text string
	err  error
}

var (
	errNoValue   = errors.New("its value is not available")
	errNotNeeded = errors.New("its version is declared")
)

func (o *Operation) newValueReader(r Request, clusters map[string]cluster.Cluster) *valueReader {
	v := &valueReader{clusters: clusters, unknown: r.SecretUnknown, values: map[keyPlace]keyValue{}}
	v.declared = func(s *resolve.Secret) (string, error) {
		if s.Declared == nil {
			return "", errNoValue
		}
		return o.options.Secret(s.Declared)
	}
	if r.SecretValue != nil {
		v.declared = func(s *resolve.Secret) (string, error) {
			if value, ok := r.SecretValue(s); ok {
				return value, nil
			}
			return "", errNoValue
		}
	}
	return v
}

// read returns the value of a secret. clusterName is the cluster of the job.
func (v *valueReader) read(ctx context.Context, clusterName string, s *resolve.Secret) (string, error) {
	source, at, ok := v.source(clusterName, s)
	switch {
	case !ok:
		return v.declared(s)
	case s.Version != "":
		return "", errNotNeeded
	case v.unknown != nil && v.unknown(s.Declared):
		return "", errNoValue
	}
	return v.fetch(ctx, source, at)
}

// fetch reads a key of a Kubernetes Secret at most once.
func (v *valueReader) fetch(ctx context.Context, source cluster.SecretSource, at keyPlace) (string, error) {
	value, known := v.values[at]
	if !known {
		value.text, value.err = source.SecretValue(ctx, at.name, at.key)
		v.values[at] = value
		if err := value.err; err != nil && v.failed == nil && !errors.Is(err, cluster.ErrForbidden) && !errors.Is(err, cluster.ErrNotFound) {
			v.failed = fmt.Errorf("read the Secret %s: %w", at.name, err)
		}
	}
	return value.text, value.err
}

// problem returns the error from reading a Kubernetes Secret, or nil.
func (v *valueReader) problem(clusterName string, s *resolve.Secret) error {
	_, at, _ := v.source(clusterName, s)
	return v.values[at].err
}

// source returns the cluster that stores the value, and the place in the cluster. It
// returns false if no cluster stores the value.
func (v *valueReader) source(clusterName string, s *resolve.Secret) (cluster.SecretSource, keyPlace, bool) {
	source, ok := v.clusters[clusterName].(cluster.SecretSource)
	if !ok || !cluster.InCluster(s) || clusterName == resolve.LocalCluster {
		return nil, keyPlace{}, false
	}
	return source, keyPlace{clusterName, s.Declared.Kubernetes.Name, s.Declared.Kubernetes.Key}, true
}

// forPlanner returns a function for the planner that calls read and returns
// false after an error.
func (v *valueReader) forPlanner(ctx context.Context) func(string, *resolve.Secret) (string, bool) {
	return func(clusterName string, s *resolve.Secret) (string, bool) {
		value, err := v.read(ctx, clusterName, s)
		return value, err == nil
	}
}

// notCompared warns about each Kubernetes Secret that the user may not read.
func (v *valueReader) notCompared(p *Plan) hcl.Diagnostics {
	type unread struct {
		place  keyPlace
		secret string
	}
	var order []unread
	jobs, at := map[unread][]hclspec.Address{}, map[unread]hcl.Range{}
	for _, c := range p.Changes {
		for _, s := range secretsOf(c) {
			_, place, ok := v.source(c.Cluster, s)
			if u := (unread{place, s.Name}); ok && errors.Is(v.values[place].err, cluster.ErrForbidden) {
				if !slices.Contains(order, u) {
					order, at[u] = append(order, u), p.sources.Range(s.Declared.Path)
				}
				jobs[u] = append(jobs[u], c.Address)
			}
		}
	}
	var diags hcl.Diagnostics
	for _, u := range order {
		diags = append(diags, SecretNotCompared.At(at[u], "You may not read the Kubernetes Secret %s%s. The plan therefore does not show whether the secret %q of %s has a new value.",
			u.place.name, inNamespace(p.Clusters[u.place.cluster]), u.secret, jobList(jobs[u])))
	}
	return diags
}

func secretsOf(c *planner.Change) []*resolve.Secret {
	if c.Job == nil {
		return nil
	}
	return c.Job.Secrets
}
