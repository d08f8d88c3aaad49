// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"net/url"
	"regexp"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

var imageDigest = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// digest returns the image digest that the kubelet reports. It returns "" if the
// image was not pulled or its registry digest is unknown.
func (p *pod) digest() string {
	for _, c := range p.Status.Containers {
		if _, digest, found := strings.Cut(c.ImageID, "@"); found && c.Name == appContainer && imageDigest.MatchString(digest) {
			return digest
		}
	}
	return ""
}

// ImageDigests implements [cluster.ImageSource].
func (c *Cluster) ImageDigests(ctx context.Context, name string) (map[string]string, error) {
	r, err := c.knownRecord(ctx, name)
	if err != nil {
		return nil, err
	}
	q := url.Values{"labelSelector": {labelFramework + "=" + name}, "resourceVersion": {"0"}}
	pods, err := listAll[*pod](ctx, c, api.Pods, q, "", 0)
	if err := ignoreForbidden(err); err != nil {
		return nil, err
	}
	all := map[string][]string{}
	for _, p := range pods {
		role := p.Metadata.Labels[labelTaskRole]
		all[role] = append(all[role], p.digest())
	}
	for key, digest := range c.attemptsOf(name).digests() {
		all[key.role] = append(all[key.role], digest)
	}
	common := map[string]string{}
	for role, digests := range all {
		if digest := commonDigest(digests); digest != "" {
			common[r.declaredRole(role)] = digest
		}
	}
	return common, nil
}

// commonDigest returns the digest that all tasks share, or "" if the tasks used
// different images. It ignores tasks with an unknown digest.
func commonDigest(all []string) string {
	common := ""
	for _, digest := range all {
		switch {
		case digest == "":
		case common != "" && common != digest:
			return ""
		default:
			common = digest
		}
	}
	return common
}

func (s *attempts) digests() map[attemptKey]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[attemptKey]string{}
	for key, a := range s.byKey {
		all[key] = a.digest
	}
	return all
}
