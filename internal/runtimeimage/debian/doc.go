// SPDX-License-Identifier: MPL-2.0

// Package debian downloads single packages from the Debian archive and reads their
// files. It works on any system, and does not require Debian's tools. The caller
// provides the digest of a package, so the mirrors do not have to be trusted.
// Package debian does not install packages, resolve dependencies or read package
// lists.
package debian
