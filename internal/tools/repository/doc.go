// SPDX-License-Identifier: MPL-2.0

// Package repository contains only tests of the repository itself. They check the
// table of imports in contributing/architecture.md, the length of files, the links
// between pages, the callers of HCL's parsers, and the spelling of identifiers.
package repository

//go:generate env UPDATE=1 go test -count=1 -run ^TestArchitecturePageShowsTheImports$ .
