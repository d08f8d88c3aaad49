// SPDX-License-Identifier: MPL-2.0

// Package debian downloads individual packages from the Debian archive and reads
// their files. It works on any system, and does not require Debian's tools. The
// mirrors need not be trusted, because the caller provides the digest of each
// package. Package debian does not install packages, resolve dependencies or read
// package lists.
package debian
