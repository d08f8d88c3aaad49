// SPDX-License-Identifier: MPL-2.0

// Package marketplacetest is an OpenPAI Marketplace server for tests: it
// follows the rules of the last real server, stores items in memory and listens
// on a loopback port. Package marketplace contains the client.
package marketplacetest
