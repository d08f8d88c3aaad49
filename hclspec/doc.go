// Package hclspec holds the vocabulary that every front end writes and every
// later stage reads: the model of a workspace (jobs, task roles,
// prerequisites, storages, secrets, clusters), addresses, the source map that
// leads from a value back to the file it was written in, the field table that
// describes every field once, and the catalog of diagnostics.
//
// It reads no files and knows no syntax. HCL is decoded in hclspec/syntax,
// OpenPAI protocol YAML in hclspec/protocol, and internal/workspace is the
// only loader of a directory or file. What a job means (which prerequisites
// run, in which order) is decided in planner/resolve.
//
// Mistakes of a user are hcl.Diagnostics made from the catalog
// ([Entry.At]); mistakes of a programmer panic. Nothing here prints.
package hclspec
