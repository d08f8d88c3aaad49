// SPDX-License-Identifier: MPL-2.0

package lockfile

import (
	"cmp"
	"slices"
)

// Name is the name of the lock file in a workspace directory.
const Name = ".openpai.lock.hcl"

// File is the content of a lock file. Items and Modules are sorted by address,
// Fetches by URL, and Images by reference.
type File struct {
	Items   []*Entry
	Modules []*Module
	Fetches []*Fetch
	Images  []*Image
}

// Entry is a locked item.
type Entry struct {
	// Address is the reference that uniquely identifies this item.
	Address string
	// References are the other spellings of Address, sorted.
	References []string
	// Source is the exact location from which the item was read.
	Source  string
	Version string
	// Hash is the content hash: "h1:" and 64 hexadecimal digits.
	Hash string
	// Requires contains the required items from the same source file. It maps
	// item names to addresses.
	Requires map[string]string
}

// Module is a locked module from outside the workspace.
type Module struct {
	// Address is the address of the module. It does not contain for_each keys,
	// because all instances have the same source.
	Address string
	// Source and Version are the arguments of the module block.
	Source, Version string
	// Commit is the commit of a git repository, or "" for other sources.
	Commit string
	// Hash is the hash of all files in the package that contains the module.
	Hash string
}

// Fetch is a locked download.
type Fetch struct {
	URL    string
	SHA256 string // hexadecimal
	Size   int64  // in bytes; 0 if unknown
}

// Image is an image with its locked digest.
type Image struct {
	Reference string
	Digest    string // sha256:...
}

// Item returns the entry for a reference, or nil.
func (f *File) Item(reference string) *Entry {
	for _, e := range f.Items {
		if e.Address == reference || slices.Contains(e.References, reference) {
			return e
		}
	}
	return nil
}

// Module returns the entry for a module address, or nil.
func (f *File) Module(address string) *Module {
	for _, e := range f.Modules {
		if e.Address == address {
			return e
		}
	}
	return nil
}

// Fetch returns the entry for a URL, or nil.
func (f *File) Fetch(url string) *Fetch {
	for _, e := range f.Fetches {
		if e.URL == url {
			return e
		}
	}
	return nil
}

// Image returns the entry for an image, or nil.
func (f *File) Image(reference string) *Image {
	for _, e := range f.Images {
		if e.Reference == reference {
			return e
		}
	}
	return nil
}

// Put adds an entry, or replaces the entry with the same address. A reference
// belongs to only one entry. Put therefore removes e's references from all other
// entries.
func (f *File) Put(e *Entry) {
	f.Remove(e.Address)
	for _, other := range f.Items {
		other.References = slices.DeleteFunc(other.References, func(r string) bool { return slices.Contains(e.References, r) || r == e.Address })
	}
	f.Items = append(f.Items, e)
	f.sort()
}

// Remove removes the entry for an item address.
func (f *File) Remove(address string) {
	f.Items = slices.DeleteFunc(f.Items, func(e *Entry) bool { return e.Address == address })
}

// PutModule adds a module, or replaces the module with the same address.
func (f *File) PutModule(e *Module) {
	f.RemoveModule(e.Address)
	f.Modules = append(f.Modules, e)
	f.sort()
}

// RemoveModule removes the entry for a module address.
func (f *File) RemoveModule(address string) {
	f.Modules = slices.DeleteFunc(f.Modules, func(e *Module) bool { return e.Address == address })
}

// Empty reports whether the file has no entries.
func (f *File) Empty() bool {
	return len(f.Items)+len(f.Modules)+len(f.Fetches)+len(f.Images) == 0
}

// PutFetch adds a download, or replaces the download with the same URL.
func (f *File) PutFetch(e *Fetch) {
	f.Fetches = slices.DeleteFunc(f.Fetches, func(o *Fetch) bool { return o.URL == e.URL })
	f.Fetches = append(f.Fetches, e)
	f.sort()
}

// PutImage adds a digest, or replaces the digest of the same image.
func (f *File) PutImage(e *Image) {
	f.Images = slices.DeleteFunc(f.Images, func(o *Image) bool { return o.Reference == e.Reference })
	f.Images = append(f.Images, e)
	f.sort()
}

func (f *File) sort() {
	slices.SortFunc(f.Items, func(a, b *Entry) int { return cmp.Compare(a.Address, b.Address) })
	slices.SortFunc(f.Modules, func(a, b *Module) int { return cmp.Compare(a.Address, b.Address) })
	slices.SortFunc(f.Fetches, func(a, b *Fetch) int { return cmp.Compare(a.URL, b.URL) })
	slices.SortFunc(f.Images, func(a, b *Image) int { return cmp.Compare(a.Reference, b.Reference) })
	for _, e := range f.Items {
		slices.Sort(e.References)
		e.References = slices.Compact(e.References)
	}
}
