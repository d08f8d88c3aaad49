// SPDX-License-Identifier: MPL-2.0

// Package api sends requests to one API server. It finds the server by the rules of
// kubectl, retries requests that may succeed later, limits the number of concurrent
// requests, and explains rejected requests. It runs commands in containers and
// connects to ports of Pods.
//
// It defines the kinds of objects that openpai reads and writes; package kubernetes
// assembles jobs from them. Every request has a timeout and is safe to retry. A
// rejected request is an *Error that wraps an *apierrors.StatusError; the error for
// an object that does not exist also wraps cluster.ErrNotFound.
package api
