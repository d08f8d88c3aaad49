// Package template is the one renderer of <% %> references and of {{ }}
// template variables. It works on parsed values, never on YAML or JSON text,
// and escapes nothing.
//
// It is a leaf: standard library only. The resolver fills everything but
// $secrets; the runtime fills those.
package template
