// SPDX-License-Identifier: MPL-2.0

// Package runtimeimage builds the OCI images of openpai-runtime without a
// container engine. The builds are reproducible: the same programs produce an
// image with the same digest.
//
// There are two variants. The static image contains only the program and the
// certificates of public authorities. The image with a shell, for init plugins
// written in shell, adds the program and the certificates to a small base from
// one Debian package, or to an image that the user chooses.
package runtimeimage
