// SPDX-License-Identifier: MPL-2.0

// Package api sends requests to one API server. It finds the server like kubectl.
// It retries requests that may succeed later, limits concurrent requests and
// explains rejected requests. It also runs commands in containers and connects to
// Pod ports.
//
// It defines the kinds of objects that openpai reads and writes. Package kubernetes
// assembles jobs from these objects. Every request except a stream has a timeout and is
// safe to retry. The error for a rejected request is an *Error that wraps an
// *apierrors.StatusError. If an object does not exist, the error also wraps
// cluster.ErrNotFound.
package api
