// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/template"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Pin sets images to the digests in the lock file, and adds locked hashes to
// downloads without a hash. It does not change images and downloads that are
// not locked.
func (l *Loaded) Pin(jobs []*resolve.Job) {
	file, _ := l.Lock()
	for _, job := range jobs {
		for _, role := range job.TaskRoles {
			if e := file.Image(role.Image.URI); e != nil {
				role.Image.URI = e.Reference + "@" + e.Digest
			}
			for _, step := range role.Steps {
				for _, f := range step.Fetch {
					if e := file.Fetch(f.URL); e != nil && f.SHA256 == "" {
						f.SHA256 = e.SHA256
					}
				}
			}
		}
	}
}

// Images returns, without duplicates, the images that the jobs use without a
// digest.
func Images(jobs []*resolve.Job) []string {
	return unique(jobs, func(role *resolve.TaskRole, add func(string)) {
		if !strings.Contains(role.Image.URI, "@") {
			add(role.Image.URI)
		}
	})
}

// Downloads returns, without duplicates, the HTTP URLs that jobs fetch
// without a hash and without a credential.
func Downloads(jobs []*resolve.Job) []string {
	return unique(jobs, func(role *resolve.TaskRole, add func(string)) {
		for _, step := range role.Steps {
			for _, f := range step.Fetch {
				web := strings.HasPrefix(f.URL, "http://") || strings.HasPrefix(f.URL, "https://")
				if web && f.SHA256 == "" && f.Auth == "" && len(template.Tags(f.URL)) == 0 {
					add(f.URL)
				}
			}
		}
	})
}

func unique(jobs []*resolve.Job, visit func(*resolve.TaskRole, func(string))) []string {
	var all []string
	met := map[string]bool{"": true}
	for _, job := range jobs {
		for _, role := range job.TaskRoles {
			visit(role, func(s string) {
				if !met[s] {
					met[s] = true
					all = append(all, s)
				}
			})
		}
	}
	return all
}

// DownloadSize returns the size in bytes that init recorded for a download, or 0 if
// the size is unknown.
func (l *Loaded) DownloadSize(want *resolve.Fetch) int64 {
	file, _ := l.Lock()
	if e := file.Fetch(want.URL); e != nil && e.SHA256 == want.SHA256 {
		return e.Size
	}
	return 0
}

// LockDigests records image digests and downloads in the lock file.
func (l *Loaded) LockDigests(images map[string]string, downloads []*lockfile.Fetch) error {
	file, diags := l.Lock()
	if diags.HasErrors() {
		return diags
	}
	if len(images)+len(downloads) == 0 {
		return nil
	}
	for image, digest := range images {
		file.PutImage(&lockfile.Image{Reference: image, Digest: digest})
	}
	for _, d := range downloads {
		file.PutFetch(d)
	}
	return l.writeLock(file)
}
