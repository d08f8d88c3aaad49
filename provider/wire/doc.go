// SPDX-License-Identifier: MPL-2.0

// Package wire encodes and decodes values of the plugin protocol. The results
// match terraform-plugin-go, but package wire creates no attribute path for each
// value. These paths cause a third of the memory allocations for a job
// (contributing/provider-design.md). Package tftypes defines the encoding. Package
// wire uses tftypes for the values that it does not encode itself, such as sets
// and dynamically typed values.
package wire
