// SPDX-License-Identifier: MPL-2.0

// Package fault puts a proxy in front of a real API server. The proxy injects
// faults into selected requests and counts all requests.
package fault
