// Package redact masks secret values in streams of output, in the raw form and
// in the forms that programs print them in, also across write boundaries.
//
// It is a leaf: standard library only. It does not decide what is secret.
package redact
