// SPDX-License-Identifier: MPL-2.0

// Package runtimeimage builds the OCI images of openpai-runtime without a
// container engine. Builds are reproducible, so the same programs result in an
// image with the same digest.
//
// There are two variants. The static image contains only the program and the
// certificates of public authorities. The image with a shell is for init plugins
// written in shell. It adds the program and the certificates to a small base from
// one Debian package, or to an image that the user chooses.
package runtimeimage
