// SPDX-License-Identifier: MPL-2.0

// Package redact masks secret values in output streams. It recognizes raw
// values and values in common encodings, even across write boundaries.
//
// It imports only the standard library. It does not decide which values are
// secret.
package redact
