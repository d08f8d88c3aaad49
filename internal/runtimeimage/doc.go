// Package runtimeimage builds the OCI images of openpai-runtime without a
// container engine: the same programs give the same digest, whoever builds.
//
// There are two variants. The static one holds the program and the certificates
// of public authorities, nothing else. The one with a shell, for init plugins
// that are shell text, is the same over a small base made of one package of
// Debian, or over an image of the user's choice.
package runtimeimage
