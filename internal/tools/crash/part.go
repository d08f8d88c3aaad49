package main

import "github.com/openpai/terraform-provider-openpai/internal/local/process"

// part is a process of the local cluster of a workspace.
type part struct {
	process.ID
	kind      string // its first argument, of package reexec
	framework string
}
