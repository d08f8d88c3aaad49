package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// lockFile returns the path of the lock file. All workspaces of a directory share
// it.
func (l *Loaded) lockFile() string { return filepath.Join(l.Dir, lockfile.Name) }

// Lock reads the lock file. A missing lock file is empty.
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

// Items returns the locked items for the resolver. It fetches nothing: it
// compares directories with the lock and does not check other sources.
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

// currentHash returns the current hash of a locked item in a directory; "" for
// other sources and for versions that no longer exist in the directory.
func currentHash(set *marketplace.Set, e *lockfile.Entry) (string, error) {
	item, err := set.Local(context.Background(), e.Address, e.Version)
	if err != nil || item == nil {
		return "", nil // the locked version is used
	}
	return item.Hash(), nil
}

// decodeItem decodes the canonical definition of an item.
func decodeItem(name string, content []byte) (*hclspec.Prerequisite, hclspec.SourceMap, error) {
	items, diags := marketplace.ParseFile(name, content)
	switch {
	case diags.HasErrors():
		return nil, nil, diags
	case len(items) != 1:
		return nil, nil, errors.New("it is not one definition")
	}
	return items[0].Prerequisite, items[0].Sources, nil
}

// References lists the item references of the workspace, each with its first
// range, in the order of declaration.
func (l *Loaded) References() []Reference {
	c := &collector{sources: l.Workspace.Sources, met: map[string]bool{}}
	if l.item != "" {
		c.all = append(c.all, Reference{Target: l.item})
		return c.all
	}
	for _, p := range l.Workspace.Prerequisites {
		c.add(p.Require...)
	}
	for _, job := range l.Workspace.Jobs {
		c.job(job)
	}
	return c.all
}

// Reference is a reference to an item with its source range.
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

// loadItem creates a workspace from a whole job in a marketplace. The current
// directory provides the marketplaces, storages, secrets and the lock file; its
// jobs are ignored.
func (l *loader) loadItem(reference string) {
	l.loaded.item = reference
	if found, err := list("."); err == nil && len(found.hcl) > 0 {
		l.decode(found)
	} else {
		l.untaken = l.values(nil)
	}
	ws := l.loaded.Workspace
	ws.Jobs, ws.Prerequisites, ws.Protocols, ws.Moved = nil, nil, nil, nil
	ws.Name = cmp.Or(ws.Name, defaultName(l.loaded.Dir))
	file, diags := l.loaded.Lock()
	l.diags = append(l.diags, diags...)
	e := file.Item(reference)
	if e == nil {
		l.report(hclspec.ItemsNotInitialized.At(hcl.Range{}, "%s is not in the lock file %s. %s", reference, lockfile.Name, l.loaded.lookUp(message.Hint{Kind: message.HintLookUp, Sentence: true}, reference)))
		return
	}
	content, err := l.loaded.ItemCache().Get(e.Hash)
	if err != nil {
		l.report(hclspec.ItemsNotInitialized.At(hcl.Range{}, "The content of %s is not usable on this machine: %s. %s", reference, err, l.loaded.here(message.Hint{Kind: message.HintFetch, Sentence: true})))
		return
	}
	name := e.Address
	l.loaded.Files[name] = content
	l.addItemJob(reference, name, content)
}

func (l *loader) addItemJob(reference, name string, content []byte) {
	parsed, diags := protocol.Parse(name, content)
	l.diags = append(l.diags, diags...)
	if parsed == nil || diags.HasErrors() {
		return
	}
	if parsed.Job == nil {
		l.report(hclspec.ItemNotAJob.At(hcl.Range{}, "%s is a prerequisite and no job. %s", reference, l.loaded.here(message.Hint{Kind: message.HintUseItem, Item: reference, Sentence: true})))
		return
	}
	ws := l.loaded.Workspace
	ws.Jobs = append(ws.Jobs, parsed.Job)
	ws.Sources.Merge(parsed.Sources)
	ws.Name = fileName(ws.Name, "marketplace-"+parsed.Job.Name)
	l.rename()
}
