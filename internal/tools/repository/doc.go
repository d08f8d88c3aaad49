// SPDX-License-Identifier: MPL-2.0

// Package repository contains only tests of the repository itself. They check the
// import table in contributing/architecture.md, file lengths, links, callers of
// HCL's parsers, and spelling of identifiers.
package repository

//go:generate env UPDATE=1 go test -count=1 -run ^TestArchitecturePageShowsTheImports$ .
