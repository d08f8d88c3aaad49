//go:build !linux && !darwin

package store

// CheckOwner does nothing: the local cluster does not run here.
func (l Layout) CheckOwner(int) error { return nil }
