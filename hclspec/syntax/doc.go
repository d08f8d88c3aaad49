// Package syntax is the HCL front end: it decodes *.pai.hcl and
// *.pai.hcl.json files into the model of hclspec, formats them, and writes a
// model as HCL.
//
// The decoder is driven by the field table of hclspec; only what has rules of
// its own has its own code: variables, locals, secrets, for_each, moved.
// Expressions are evaluated with
//
//   - var.x and local.x, in the order of their dependencies;
//   - prerequisite.<type>.<name>, storage.<name> and cluster.<name>, which are
//     objects with the attributes address, name and type. They are bound
//     without looking at what they name, so that cycles among prerequisites
//     are left to the planner;
//   - secret.x and sensitive variables, which are the tag <% $secrets.x %>
//     with a mark. A tag that does not arrive intact in the value of an
//     argument is an error;
//   - each.key and each.value in a block with for_each;
//   - the standard functions, and file functions that stay inside the
//     directory of the workspace.
//
// A null argument is like one that is absent, and null elements of a list of
// references are omitted.
//
// Whether the model makes sense as a whole (does a task role exist, can a
// completion policy be met) is decided by hclspec.Validate, not here. Protocol
// YAML is read in hclspec/protocol. Mistakes of the user are diagnostics; all
// of them are reported, and the model holds what could be read.
package syntax
