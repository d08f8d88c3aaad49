// SPDX-License-Identifier: MPL-2.0

// Package redirect decides which redirects an HTTP client of this project
// follows. It does not decide which requests carry credentials: runtime/fetch
// and internal/marketplace make that decision.
//
// It imports only the standard library.
package redirect
