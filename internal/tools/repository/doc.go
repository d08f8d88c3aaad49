// Package repository holds no code: its tests check the repository itself.
// They hold the table of imports in contributing/architecture.md, the length of files,
// the links between pages, who may call HCL's parsers, and the spelling of
// identifiers.
package repository

//go:generate env UPDATE=1 go test -count=1 -run ^TestArchitecturePageShowsTheImports$ .
