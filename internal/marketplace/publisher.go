package marketplace

import "context"

// Publisher is a source of another package that items can be published to.
type Publisher interface {
	Source
	// Publish writes what [Publication.Unpublished] leaves. version is that of
	// all items of the publication.
	Publish(ctx context.Context, p *Publication, version string) (*Published, error)
}

// AddFile parses a file of a source into the listing; one that cannot be read
// becomes a problem. name is what findings show and ids begin with, its ending
// tells the syntax; place is the exact address of the file.
func (l *Listing) AddFile(name, place string, src []byte) { l.addFile(name, place, src) }

// Unpublished returns the items that a listing does not have yet. A version
// that it has with another content is an error of kind
// [hclspec.PublishedVersionDiffers].
func (p *Publication) Unpublished(l *Listing) ([]*Item, error) { return p.unpublished(l) }

// FileName is the name of the published file: with the version in it, of signs
// that every system and the keys of ConfigMaps know.
func (p *Publication) FileName(version string) string { return fileName(p.Name, version) }

// IsItemFile tells files of items by the ending of their name.
func IsItemFile(name string) bool { return isItemFile(name) }
