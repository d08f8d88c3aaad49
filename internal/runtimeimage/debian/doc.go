// SPDX-License-Identifier: MPL-2.0

// Package debian downloads single packages from the Debian archive and reads
// their files, on any system and without Debian's tools. The digest of a
// package is known in advance, so the download need not be trusted. Package
// debian does not install packages, resolve dependencies or read package lists.
package debian
