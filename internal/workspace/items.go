// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// lockFile returns the path of the lock file, which all workspaces in a directory
// share.
func (l *Loaded) lockFile() string { return filepath.Join(l.Dir, lockfile.Name) }

// Lock reads the lock file. If the file does not exist, Lock returns an empty
// [lockfile.File].
func (l *Loaded) Lock() (*lockfile.File, hcl.Diagnostics) {
	f, err := openRegular(l.lockFile())
	if errors.Is(err, fs.ErrNotExist) {
		return &lockfile.File{}, nil
	}
	if err != nil {
		return &lockfile.File{}, hcl.Diagnostics{unreadable(lockfile.Name, hcl.Range{}, err)}
	}
	f.Close()
	src, problem := read(l.lockFile(), hcl.Range{})
	if problem != nil {
		return &lockfile.File{}, hcl.Diagnostics{problem}
	}
	l.Files[lockfile.Name] = src
	return lockfile.Parse(lockfile.Name, src)
}

// Items returns the locked items for the resolver. It compares the items from
// local directories with the lock file. It does not check other sources, and
// does not access the network.
func (l *Loaded) Items() (resolve.Items, hcl.Diagnostics) {
	file, diags := l.Lock()
	set := l.Marketplaces(marketplace.Options{})
	locked := &lockfile.Items{
		File: file, Cache: l.ItemCache(), Decode: decodeItem,
		Current: func(e *lockfile.Entry) (string, error) { return currentHash(set, e) },
		Seen:    func(name string, content []byte) { l.Files[name] = content },
	}
	return &advisedItems{locked, l}, diags
}

// currentHash returns the current hash of a locked item in a local directory.
// It returns "" for other sources and for missing versions.
func currentHash(set *marketplace.Set, e *lockfile.Entry) (string, error) {
	item, err := set.Local(context.Background(), e.Address, e.Version)
	if err != nil || item == nil {
		return "", nil // the locked version is used
	}
	return item.Hash(), nil
}

// decodeItem expects an item's canonical definition.
func decodeItem(name string, content []byte) (*hclspec.Prerequisite, hclspec.SourceMap, error) {
	items, diags := marketplace.ParseFile(name, content)
	switch {
	case diags.HasErrors():
		return nil, nil, diags
	case len(items) != 1:
		return nil, nil, errors.New("the file must contain exactly one definition")
	}
	return items[0].Prerequisite, items[0].Sources, nil
}

// References returns the item references of the workspace in declaration
// order. The range of a Reference is the range of its first use.
func (l *Loaded) References() []Reference {
	c := &collector{sources: l.Workspace.Sources, met: map[string]bool{}}
	if l.item != "" {
		c.all = append(c.all, Reference{Target: l.item})
	}
	for _, p := range l.Workspace.Prerequisites {
		c.add(p.Require...)
	}
	for _, job := range l.Workspace.Jobs {
		c.job(job)
	}
	return c.all
}

// Reference is a reference to an item, with the source range.
type Reference struct {
	Target string
	At     hcl.Range
}

type collector struct {
	sources hclspec.SourceMap
	met     map[string]bool
	all     []Reference
}

func (c *collector) add(refs ...hclspec.Reference) {
	for _, r := range refs {
		if marketplace.IsReference(r.Target) && !c.met[r.Target] {
			c.met[r.Target] = true
			c.all = append(c.all, Reference{r.Target, c.sources.Range(r.Path)})
		}
	}
}

func (c *collector) job(job *hclspec.Job) {
	for _, list := range [][]*hclspec.Prerequisite{job.Prerequisites, job.ReferencePrerequisites} {
		for _, p := range list {
			c.add(p.Require...)
		}
	}
	for _, role := range job.TaskRoles {
		c.add(role.Prerequisites...)
		c.add(role.Image, role.Data, role.Output, role.Script)
	}
}
