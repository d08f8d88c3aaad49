package marketplace

import "context"

// Publisher is a source of another package that items can be published to.
type Publisher interface {
	Source
	// Publish writes what [Publication.Unpublished] leaves. version is that of
	// all items of the publication.
	Publish(ctx context.Context, p *Publication, version string) (*Published, error)
}

// FileName is the name of the published file: with the version in it, of signs
// that every system and the keys of ConfigMaps know.
func (p *Publication) FileName(version string) string { return fileName(p.Name, version) }
