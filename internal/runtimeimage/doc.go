// Package runtimeimage builds the OCI images of openpai-runtime without a
// container engine: the same programs give the same digest, whoever builds.
//
// There are two variants. The static one holds the program and the certificates
// of public authorities, nothing else. The one with a shell is the same over an
// image of the user's choice, for init plugins that are shell text.
package runtimeimage
