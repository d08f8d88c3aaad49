// SPDX-License-Identifier: MPL-2.0

// Package wire encodes and decodes values of the plugin protocol, with the
// results of terraform-plugin-go but without an attribute path for each value:
// these paths are a third of the memory allocations for a job
// (contributing/provider-design.md). Package tftypes defines the encoding; what
// has a type that depends on the value, such as a set or a value of any type, is
// left to it.
package wire
