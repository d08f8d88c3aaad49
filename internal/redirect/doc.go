// SPDX-License-Identifier: MPL-2.0

// Package redirect decides which redirects the HTTP clients of the programs follow.
// It does not decide which requests have credentials: runtime/fetch and
// internal/marketplace do this.
//
// It imports only the standard library.
package redirect
