// SPDX-License-Identifier: MPL-2.0

// Package syntax is the HCL front end: it decodes *.pai.hcl and *.pai.hcl.json
// files into the model of hclspec, formats them, and writes a model as HCL.
//
// The field table in hclspec drives the decoder. Variables, locals, secrets,
// for_each and moved have separate code, because their rules differ. Expressions
// can use
//
//   - var.x and local.x, evaluated in dependency order;
//   - prerequisite.<type>.<name>, storage.<name> and cluster.<name>, which are
//     objects with the attributes address, name and type. The decoder does not
//     look up their targets. The planner reports prerequisite cycles;
//   - secret.x and sensitive variables, which evaluate to the marked tag
//     <% $secrets.x %>. An argument whose value contains a modified tag is an
//     error;
//   - each.key and each.value in a block with for_each;
//   - the standard functions, and file functions that cannot leave the
//     workspace directory.
//
// The decoder treats a null argument like an omitted argument, and omits null
// elements of a list of references.
//
// This package does not check that the model is consistent. hclspec.Validate
// does: for example, the job must declare each task role in a deployment, and
// a completion policy must not require more tasks than the task role has.
// hclspec/protocol reads protocol YAML. User mistakes are diagnostics. The
// decoder reports all of them and returns a model with everything that it
// could read.
package syntax
