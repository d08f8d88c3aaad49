// Package contract holds what OpenPAI clusters and the containers on them
// agree on: names of objects and roles, event names, plugin names, the port
// formula, the names of environment variables, paths and log line formats.
//
// It is a leaf: standard library only, shared with the program in the
// container. Decisions (which plugin runs when) are made elsewhere.
package contract
