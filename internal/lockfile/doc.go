// Package lockfile keeps what a workspace has taken from outside: the lock file
// .openpai.lock.hcl records where each item came from and the hash of its
// content, and a cache beside it holds the contents by that hash.
//
// The file is written by the program, sorted, one entry after the other, so
// that a review shows what changed; it is committed. The cache is not. With
// both nothing needs the network, and content that does not have the recorded
// hash is never used.
//
// It looks nothing up: internal/marketplace does, and internal/workspace brings
// both together. [Items] gives the resolver what is locked.
package lockfile
