// SPDX-License-Identifier: MPL-2.0

// Package runtimeimage builds the OCI images of openpai-runtime without a
// container engine. Builds are reproducible: images of the same programs have
// the same digest.
//
// There are two variants. The static image contains only the program and the
// certificates of public authorities. The image with a shell is for init plugins
// written in shell. It adds the program and the certificates to a base image.
// The base image is a small image from one Debian package, or an image of the
// user's choice.
package runtimeimage
