// SPDX-License-Identifier: MPL-2.0

package render

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

const (
	// annotationLimit is the Kubernetes limit on the total size of an
	// object's annotations, in bytes.
	annotationLimit = 256 << 10
)

func (r *renderer) checkAnnotations(at hcl.Range, what string, annotations map[string]string) {
	size := 0
	for k, v := range annotations {
		size += len(k) + len(v)
	}
	if size > annotationLimit {
		r.report(AnnotationsTooLarge.At(at,
			"The annotations on %s of job %q total %d bytes; Kubernetes accepts at most %d. Shorten or remove some annotations.", what, r.job.Name, size, annotationLimit))
	}
}

func (r *renderer) checkRuntimeImage() {
	if r.target.Local || r.target.RuntimeImage != "" {
		return
	}
	at := r.clusterRange()
	if at.Filename == "" {
		at = r.jobRange()
	}
	d := MissingRuntimeImage.At(at,
		"Cluster %q has no runtime image, and this development build of openpai has no default. %s",
		r.job.Cluster, message.Advice{Kind: message.AdviceRuntimeImage})
	r.diags = append(r.diags, hclspec.Affecting(d, r.job.Address))
}

// checkPods reports settings that the API server would reject or
// FrameworkController would remove.
func (r *renderer) checkPods() {
	if r.target.Local {
		return
	}
	for _, role := range r.job.TaskRoles {
		settings := r.podSettings(role)
		r.checkNames(role, settings)
		r.checkTolerations(role, settings.Tolerations)
		r.checkLabels(role, settings.Labels)
		r.checkNodeSelector(role, settings.NodeSelector)
		r.checkReserved(role, "annotations", "annotation", settings.Annotations, reservedAnnotations)
		r.checkAnnotations(r.podRange(role, "annotations", ""), "the Pods", r.podMeta(role).Annotations)
		r.checkHostPaths(role)
		r.checkSecretNames(role)
		r.checkFetches(role)
		r.checkRestricted(role)
	}
	r.checkRestrictedFeatures()
	if dir := r.target.FetchCache; dir != "" && !path.IsAbs(dir) {
		r.report(RelativeHostPath.At(r.jobRange(),
			"The cluster %q, on which job %q runs, has the relative fetch_cache %q. The workspace directory does not exist on the nodes: use an absolute path on the nodes.", r.job.Cluster, r.job.Name, dir))
	}
}

// checkFetches reports downloads of local files, which containers cannot
// access.
func (r *renderer) checkFetches(role *resolve.TaskRole) {
	for _, step := range role.Steps {
		for _, f := range step.Fetch {
			file, isFile := localFile(f.URL)
			if !isFile || mounted(role, file) {
				continue
			}
			at := r.target.Sources.Range(f.Path.Attr("url"))
			if at.Filename == "" {
				at = r.jobRange()
			}
			r.report(LocalFetchOnCluster.At(at,
				"%s fetches the file %q from this machine, but task role %q of job %q runs on cluster %q, where the file does not exist. Put the file on a web server or a storage.",
				step.Address, f.URL, role.Name, r.job.Name, r.job.Cluster))
		}
	}
}

// localFile returns the path of a file or repository if the URL refers to the
// task's machine.
func localFile(url string) (string, bool) {
	if locator.IsRelative(url) {
		return url, true
	}
	l, err := locator.Parse(url)
	switch {
	case err == nil && l.Kind == locator.File:
		return l.Path, true
	case err == nil && l.Kind == locator.Git && l.URL.Scheme == "file":
		return l.URL.Path, true
	}
	return "", false
}

// mounted reports whether a file is on a storage of the role.
func mounted(role *resolve.TaskRole, file string) bool {
	return slices.ContainsFunc(role.Mounts, func(m *resolve.Mount) bool {
		return strings.HasPrefix(path.Clean(file), strings.TrimSuffix(m.Path, "/")+"/")
	})
}

func (r *renderer) checkHostPaths(role *resolve.TaskRole) {
	for _, m := range role.Mounts {
		if m.Declared == nil || m.Declared.HostPath == "" {
			continue
		}
		at := r.target.Sources.Range(m.Declared.Path.Attr("host_path"))
		if !path.IsAbs(m.Declared.HostPath) {
			r.report(RelativeHostPath.At(at,
				"Storage %q has the relative host_path %q, and job %q mounts it on cluster %q. The workspace directory does not exist on the nodes: use an absolute path on the nodes, or a different kind of storage.",
				m.Storage, m.Declared.HostPath, r.job.Name, r.job.Cluster))
			continue
		}
		if r.target.Profile != ProfileOpenPAI && !r.restricted() {
			r.report(HostPathOnCluster.At(at,
				"Storage %q is the directory %s on each node that runs a task of job %q. Tasks on different nodes see different directories. Namespaces with the Pod security level \"baseline\" reject Pods that mount node directories.",
				m.Storage, m.Declared.HostPath, r.job.Name))
		}
	}
}

// secretKey matches valid Secret keys. It does not match keys that could refer to
// a parent directory.
var secretKey = regexp.MustCompile(`^\.?[-_a-zA-Z0-9][-._a-zA-Z0-9]*$`)

func (r *renderer) checkSecretNames(role *resolve.TaskRole) {
	for _, name := range role.Secrets {
		if !secretKey.MatchString(name) || len(name) > 253 {
			r.report(InvalidSecretName.At(r.jobRange(),
				"Task role %q of job %q refers to the secret %q. On Kubernetes, the name of a secret must have at most 253 characters: letters, digits, '-', '_' and '.'. Rename the secret.", role.Name, r.job.Name, name))
		}
	}
}

func (r *renderer) jobRange() hcl.Range {
	if r.job.Declared == nil {
		return hcl.Range{}
	}
	return r.target.Sources.Range(r.job.Declared.Path)
}

// podRange returns the position of a Pod setting, or of its entry with the key.
// The order of precedence is: task role, job, cluster. If the setting or entry is
// missing, podRange returns the position of the innermost block.
func (r *renderer) podRange(role *resolve.TaskRole, setting, key string) hcl.Range {
	declared := r.declaredPods(role)
	for _, p := range declared {
		at := p.Path.Attr(setting)
		if key != "" {
			at = at.Key(key)
		}
		if found, ok := r.target.Sources[at]; ok {
			return found
		}
	}
	if len(declared) > 0 {
		return r.target.Sources.Range(declared[0].Path)
	}
	return r.jobRange()
}

// declaredPods returns the declared Pod settings for a role in descending
// order of precedence. Unlike the settings in the resolved job, declared
// settings have positions.
func (r *renderer) declaredPods(role *resolve.TaskRole) []*hclspec.Pod {
	var declared []*hclspec.Pod
	add := func(p *hclspec.Pod) {
		if p != nil {
			declared = append(declared, p)
		}
	}
	if r.job.Declared != nil {
		if written := r.job.Declared.TaskRole(role.Name); written != nil {
			add(written.Pod)
		}
		add(r.job.Declared.Pod)
	}
	add(r.target.Pod)
	return declared
}
