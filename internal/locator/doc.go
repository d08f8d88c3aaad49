// Package locator reads and shows the addresses of data that a fetch takes:
// files of a machine, files of http and https servers, git repositories. The
// planner checks them with it, the runtime obtains what they name.
//
// It is a leaf: standard library only.
package locator
