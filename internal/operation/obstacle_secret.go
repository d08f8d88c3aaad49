// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// secretLack is a set of unavailable secrets that new jobs need.
type secretLack struct {
	cluster, missing string
	ends             bool // whether each job replaces an unfinished job
	at               hcl.Range
	jobs             []hclspec.Address
}

// missingSecret is a secret that is not available.
type missingSecret struct {
	path hclspec.Path
	text string
}

func newMissingSecret(s *resolve.Secret, err error) missingSecret {
	return missingSecret{s.Declared.Path, fmt.Sprintf("the value of the secret %q: %s", s.Name, err)}
}

func (o *Operation) addMissingSecrets(ctx context.Context, p *Plan, all []*secretLack, c *planner.Change, ends bool) ([]*secretLack, error) {
	missing, err := o.missingValues(ctx, p, c, ends)
	if err != nil {
		return nil, err
	}
	storages, err := o.missingStorageSecrets(ctx, p, c, ends)
	if err != nil {
		return nil, err
	}
	return p.addSecretLack(all, append(missing, storages...), c, ends), nil
}

// addSecretLack adds a job to the set of jobs that lack the same secrets.
func (p *Plan) addSecretLack(all []*secretLack, missing []missingSecret, c *planner.Change, ends bool) []*secretLack {
	if len(missing) == 0 {
		return all
	}
	texts := make([]string, len(missing))
	for i, m := range missing {
		texts[i] = m.text
	}
	text := strings.Join(texts, "; ")
	if len(missing) > 1 {
		text = quantity.Count(len(missing), "secret") + ": " + text
	}
	i := slices.IndexFunc(all, func(l *secretLack) bool { return l.cluster == c.Cluster && l.missing == text && l.ends == ends })
	if i < 0 {
		i, all = len(all), append(all, &secretLack{cluster: c.Cluster, missing: text, ends: ends, at: p.sources.Range(missing[0].path)})
	}
	all[i].jobs = append(all[i].jobs, c.Address)
	return all
}

// lackedSecrets returns one diagnostic for each set of unavailable secrets.
func (p *Plan) lackedSecrets(all []*secretLack) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, l := range all {
		d := SecretUnavailable.At(l.at, "%s cannot be created without %s.", jobList(l.jobs), l.missing)
		if !l.ends {
			d.Severity = hcl.DiagWarning
		}
		diags = append(diags, d)
	}
	return diags
}

// missingValues returns the secrets of a job whose values are not available. It
// reads values in the cluster only if the plan ends unfinished work. Otherwise, it
// checks only that the Kubernetes Secrets exist.
func (o *Operation) missingValues(ctx context.Context, p *Plan, c *planner.Change, ends bool) ([]missingSecret, error) {
	var all []missingSecret
	for _, s := range c.Job.Secrets {
		var err error
		switch source, at, ok := p.values.source(c.Cluster, s); {
		case !cluster.InCluster(s) || c.Cluster == resolve.LocalCluster:
			_, err = o.options.Secret(s.Declared)
		case ok && ends:
			_, err = p.values.fetch(ctx, source, at)
		case ok:
			exists, failed := o.hasSecret(ctx, c.Cluster, source, "", s.Declared.Kubernetes.Name, ends)
			if failed != nil {
				return nil, failed
			}
			if !exists {
				err = fmt.Errorf("the Kubernetes Secret %s does not exist%s", s.Declared.Kubernetes.Name, inNamespace(p.Clusters[c.Cluster]))
			}
		}
		if err != nil {
			all = append(all, newMissingSecret(s, err))
		}
	}
	return all, nil
}

// missingStorageSecrets returns the missing Kubernetes Secrets of storages.
// Without such a Secret, the tasks of the job would wait forever.
func (o *Operation) missingStorageSecrets(ctx context.Context, p *Plan, c *planner.Change, ends bool) ([]missingSecret, error) {
	source, ok := p.Clusters[c.Cluster].(cluster.SecretSource)
	if !ok {
		return nil, nil
	}
	var all []missingSecret
	seen := map[hclspec.Path]bool{}
	for _, role := range c.Job.TaskRoles {
		for _, m := range role.Mounts {
			namespace, name := storageSecret(m.Declared)
			if name == "" || seen[m.Declared.Path] {
				continue
			}
			seen[m.Declared.Path] = true
			exists, err := o.hasSecret(ctx, c.Cluster, source, namespace, name, ends)
			if err != nil {
				return nil, err
			}
			if !exists {
				text := fmt.Sprintf("the Kubernetes Secret %s of %s, which does not exist%s", name, m.Declared.Address(), inNamespace(p.Clusters[c.Cluster]))
				all = append(all, missingSecret{m.Declared.Path, text})
			}
		}
	}
	return all, nil
}

func storageSecret(s *hclspec.Storage) (namespace, name string) {
	switch {
	case s == nil || s.Claim != "":
		return "", ""
	case s.AzureFile != nil:
		return s.AzureFile.SecretNamespace, s.AzureFile.SecretName
	case s.AzureBlob != nil:
		return s.AzureBlob.SecretNamespace, s.AzureBlob.SecretName
	}
	return "", ""
}

// hasSecret reports whether a Secret exists. It returns true for a Secret that the
// user may not read. The result is cached. hasSecret looks up a missing Secret
// again if the plan ends an unfinished job.
func (o *Operation) hasSecret(ctx context.Context, clusterName string, source cluster.SecretSource, namespace, name string, ends bool) (bool, error) {
	o.asking.Lock()
	defer o.asking.Unlock()
	at := secretPlace{clusterName, namespace, name}
	if exists, known := o.secrets[at]; exists || known && !ends {
		return exists, nil
	}
	exists, err := source.HasSecret(ctx, namespace, name)
	switch {
	case errors.Is(err, cluster.ErrForbidden):
		exists = true
	case err != nil:
		return false, fmt.Errorf("look up the Secret %s: %w", name, err)
	}
	o.secrets[at] = exists
	return exists, nil
}

// secretPlace identifies a Kubernetes Secret.
type secretPlace struct{ cluster, namespace, name string }
