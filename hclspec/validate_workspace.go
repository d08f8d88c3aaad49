// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"maps"
	"slices"
	"strings"
)

// workspace checks storages, secrets, marketplaces, clusters and the labels
// of jobs.
func (v *validator) workspace() {
	labels := map[string]Path{}
	for _, j := range v.ws.Jobs {
		v.once(labels, j.Module.String(), "The job", j.Label, j.Path)
	}
	for _, s := range v.ws.Storages {
		v.storage(s)
	}
	for _, s := range v.ws.Secrets {
		v.secret(s)
	}
	for _, p := range v.ws.Protocols {
		for _, s := range p.Secrets {
			v.secret(s)
		}
	}
	for _, m := range v.ws.Marketplaces {
		v.marketplace(m)
	}
	for _, c := range v.ws.Clusters {
		v.logStorage(c)
		v.scheduler(c)
		v.runtimeImage(c)
	}
}

func (v *validator) storage(s *Storage) {
	if !IsStorageName(s.Name) {
		v.report(InvalidStorageName, s.Path, "The storage name %q must contain only letters, digits, hyphens, underscores and dots, must begin and end with a letter, digit or underscore, and must have at most %d characters.", s.Name, maxName)
	}
	kinds := setNames(map[string]bool{
		"host_path": s.HostPath != "", "claim": s.Claim != "", "nfs": s.NFS != nil,
		"azure_file": s.AzureFile != nil, "azure_blob": s.AzureBlob != nil, "csi": s.CSI != nil,
	})
	switch len(kinds) {
	case 0:
		v.report(StorageKind, s.Path, "%s has no kind. Set one of host_path, claim, nfs, azure_file, azure_blob or csi.", s.Address())
	case 1:
	default:
		v.report(StorageKind, s.Path, "%s has %s. Keep one of them.", s.Address(), strings.Join(kinds, " and "))
	}
}

func (v *validator) secret(s *Secret) {
	sources := setNames(map[string]bool{
		"env": s.Env != "", "file": s.File != "", "kubernetes": s.Kubernetes != nil, "value": s.Value != nil,
	})
	switch len(sources) {
	case 0:
		v.report(SecretSource, s.Path, "The secret %q has no source. Set one of env, file or kubernetes.", s.Name)
	case 1:
	default:
		v.report(SecretSource, s.Path, "The secret %q sets %s. Keep only one of them.", s.Name, strings.Join(sources, " and "))
	}
}

func (v *validator) marketplace(m *Marketplace) {
	switch {
	case m.Source == "" && m.Kubernetes == nil:
		v.report(MarketplaceSource, m.Path, "The marketplace %q has no source. Set the argument \"source\" or add a kubernetes block.", m.Name)
	case m.Source != "" && m.Kubernetes != nil:
		v.report(MarketplaceSource, m.Path, "The marketplace %q has both the argument \"source\" and a kubernetes block. Remove one of them.", m.Name)
	case m.Kubernetes != nil && m.Kubernetes.Cluster != "":
		v.clusterName(m.Kubernetes.Cluster, m.Path.Attr("kubernetes").Attr("cluster"), "The marketplace \""+m.Name+"\" is read from")
	}
}

func (v *validator) clusterName(written string, at Path, what string) {
	name := strings.TrimPrefix(written, "cluster.")
	if v.ws.Cluster(name) != nil {
		return
	}
	v.report(UnknownCluster, at, "%s the cluster %q, which no cluster block declares.%s", what, name, Suggest(name, v.clusterNames()))
}

func (v *validator) logStorage(c *Cluster) {
	name := StorageName(c.LogStorage)
	if name == "" || v.ws.Storage(name) != nil {
		return
	}
	v.report(UnknownStorage, c.Path.Attr("log_storage"), "%s stores logs in the storage %q, which no storage block declares.%s", c.Address(), name, Suggest(name, v.storageNames()))
}

func (v *validator) runtimeImage(c *Cluster) {
	if c.Runtime.Image != "" {
		v.image(nil, c.Runtime.Image, c.Path.Attr("runtime").Attr("image"))
	}
}

// scheduler requires the "scheduler" argument for the profile "openpai" with
// SKUs. OpenPAI would use HiveD for all jobs of this cluster, because its
// rest-server supports SKUs only with HiveD.
func (v *validator) scheduler(c *Cluster) {
	if c.Profile == "openpai" && len(c.SKUs) > 0 && c.Scheduler == "" {
		v.report(SchedulerMissing, c.Path, "%s has the profile \"openpai\" and declares SKUs, but does not set scheduler. Set scheduler = \"hived\" if HiveD places the jobs of this cluster, otherwise scheduler = \"default\".", c.Address())
	}
}

func (v *validator) clusterNames() []string {
	var names []string
	for _, c := range v.ws.Clusters {
		names = append(names, c.Name)
	}
	return names
}

func (v *validator) storageNames() []string {
	var names []string
	for _, s := range v.ws.Storages {
		names = append(names, s.Name)
	}
	return names
}

// setNames returns the keys with the value true, sorted.
func setNames(set map[string]bool) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if set[name] {
			names = append(names, name)
		}
	}
	return names
}
