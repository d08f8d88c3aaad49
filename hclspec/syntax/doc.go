// SPDX-License-Identifier: MPL-2.0

// Package syntax is the HCL front end: it decodes *.pai.hcl and *.pai.hcl.json
// files into the model of hclspec, formats them, and writes a model as HCL.
//
// The field table of hclspec drives the decoder. Variables, locals, secrets,
// for_each and moved have separate code, because their rules differ. Expressions
// can use
//
//   - var.x and local.x, evaluated in the order of their dependencies;
//   - prerequisite.<type>.<name>, storage.<name> and cluster.<name>, which are
//     objects with the attributes address, name and type. The decoder does not
//     look up their targets, so the planner reports cycles among
//     prerequisites;
//   - secret.x and sensitive variables, which evaluate to the marked tag
//     <% $secrets.x %>. A tag that is not intact in the value of an argument is an error;
//   - each.key and each.value in a block with for_each;
//   - the standard functions, and file functions that cannot leave the
//     workspace directory.
//
// The decoder treats a null argument like an omitted argument, and omits null
// elements of a list of references.
//
// hclspec.Validate, not this package, checks that the model is consistent: that
// a task role exists, or that a completion policy can be met. hclspec/protocol
// reads protocol YAML. User mistakes are diagnostics. The decoder reports all
// of them and returns a model with everything that it could read.
package syntax
