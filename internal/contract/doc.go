// SPDX-License-Identifier: MPL-2.0

// Package contract holds the names and formats that OpenPAI clusters and their
// containers share: names of objects and roles, event names, plugin names, the
// port formula, the names of environment variables, paths and log line formats.
//
// It is a leaf: standard library only, shared with the program in the
// container. It makes no decisions, such as which plugin runs when.
package contract
