package marketplace

import "path"

// NewestOf returns an item of the newest file that was published under a name,
// or nil. Where items have no files of their own, as on a server, the name is
// that of an item.
func (l *Listing) NewestOf(name string) *Item {
	if i := l.newest(func(i *Item) bool { return i.isFrom(name) }); i != nil {
		return i
	}
	return l.newest(func(i *Item) bool { return i.Name == name })
}

func (l *Listing) newest(means func(*Item) bool) *Item {
	var found *Item
	for _, i := range l.Items {
		if means(i) && (found == nil || newer(i.Version, found.Version)) {
			found = i
		}
	}
	return found
}

// isFrom reports whether the file of an item has a name, with its version or
// without.
func (i *Item) isFrom(name string) bool {
	file := path.Base(i.File)
	return stem(file) == name || stem(file) == fileName(name, i.Version)
}
