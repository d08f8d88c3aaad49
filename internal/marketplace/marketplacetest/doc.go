// SPDX-License-Identifier: MPL-2.0

// Package marketplacetest provides an OpenPAI Marketplace server for tests. The
// server behaves like the last version of the original server. It stores items in
// memory, and listens on a loopback port. Package marketplace contains the client.
package marketplacetest
