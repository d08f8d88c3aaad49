// SPDX-License-Identifier: MPL-2.0

// Package template is the only renderer of <% %> references and {{ }} template
// variables. It works on parsed values, never on YAML or JSON text, and does
// not escape anything for shells or HTML.
//
// A string is rendered in two steps. The resolver calls [Partial], which fills in all
// references except $secrets. Its result is again a template, in which every other <%
// is written as <%%. The runtime calls [Render] on each string, including strings
// without a secret. Render returns the final text. Therefore, a value can never
// become a reference.
//
// The package imports only the standard library.
package template
