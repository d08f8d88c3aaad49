// SPDX-License-Identifier: MPL-2.0

// Package registry looks up the digests of images in registries. It uses the logins
// of the user's container tools.
package registry
