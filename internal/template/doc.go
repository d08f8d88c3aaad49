// SPDX-License-Identifier: MPL-2.0

// Package template is the only renderer of <% %> references and {{ }} template
// variables. It works on parsed values, never on YAML or JSON text, and does
// not escape anything for shells or HTML.
//
// A string is rendered in two steps. First, the resolver calls [Partial], which
// replaces all references except $secrets with their values. The result is also a
// template: it contains <%% for every <% that does not begin a $secrets tag. Then
// the runtime calls [Render] on each string, including strings without a secret.
// Render returns the final text. A value can therefore never become a reference.
//
// The package imports only the standard library.
package template
