// Package api talks to one API server: it finds the server by the rules of
// kubectl, sends requests, repeats those that may succeed later, limits the
// number under way, and explains what the server refuses. It runs commands in
// containers and connects to ports of Pods.
//
// It knows the kinds of objects that openpai reads and writes, and nothing of
// jobs: package kubernetes does. Every request has a time limit and is safe to
// repeat. A refused request is an *Error that wraps an *apierrors.StatusError;
// an object that does not exist is also cluster.ErrNotFound.
package api
