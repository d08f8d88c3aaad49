// Package marketplacetest is an OpenPAI Marketplace server for tests: the rules
// of the last real one, kept in memory, on a port of the loopback interface.
// Package marketplace holds the client.
package marketplacetest
