// SPDX-License-Identifier: MPL-2.0

// Package debian downloads single packages from the Debian archive and reads
// their files, on any system and without Debian's tools. The caller provides the
// digest of a package, so the mirrors need not be trusted. Package debian does not
// install packages, resolve dependencies or read package lists.
package debian
