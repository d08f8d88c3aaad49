// Package template is the one renderer of <% %> references and of {{ }}
// template variables. It works on parsed values, never on YAML or JSON text,
// and escapes nothing for shells or HTML.
//
// A text is rendered in two steps. The resolver calls [Partial], which fills
// everything but $secrets; its result is a template again, in which every
// other <% is written <%%. The runtime calls [Render] on each string, also on
// those without a secret, and gets the final text. So no value can turn into
// a reference on the way.
//
// It is a leaf: standard library only.
package template
