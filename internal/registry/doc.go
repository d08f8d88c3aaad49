// Package registry asks image registries for the digests of images, with the
// logins that the user's container tools have.
package registry
