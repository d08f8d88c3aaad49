package workspace

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner/lock"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// PinImages sets the images of resolved jobs to the digests that the lock file
// has for them. Images that it does not have stay as they are.
func (l *Loaded) PinImages(jobs []*resolve.Job) {
	file, _ := l.Lock()
	for _, job := range jobs {
		for _, role := range job.TaskRoles {
			if e := file.Image(role.Image.URI); e != nil {
				role.Image.URI = e.Reference + "@" + e.Digest
			}
		}
	}
}

// Images lists the images of jobs whose digest is open, each once.
func Images(jobs []*resolve.Job) []string {
	var all []string
	met := map[string]bool{}
	for _, job := range jobs {
		for _, role := range job.TaskRoles {
			image, _, pinned := strings.Cut(role.Image.URI, "@")
			if image != "" && !pinned && !met[image] {
				met[image] = true
				all = append(all, image)
			}
		}
	}
	return all
}

// LockImages records digests by image.
func (l *Loaded) LockImages(digests map[string]string) error {
	file, diags := l.Lock()
	if diags.HasErrors() {
		return diags
	}
	for image, digest := range digests {
		file.PutImage(&lock.Image{Reference: image, Digest: digest})
	}
	return l.writeLock(file)
}
