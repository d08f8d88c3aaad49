// SPDX-License-Identifier: MPL-2.0

// Package redact masks secret values in output streams, in their raw form and
// in the common encodings of programs, even across write boundaries.
//
// It is a leaf: standard library only. It does not decide which values are
// secret.
package redact
