// SPDX-License-Identifier: MPL-2.0

// Package syntax is the HCL front end. It decodes *.pai.hcl and *.pai.hcl.json
// files into the model of hclspec. It also formats the files and writes a
// model as HCL.
//
// The field table in hclspec drives the decoder. Variables, locals, secrets,
// for_each and moved have separate code, because their rules differ. Expressions
// can use
//
//   - var.x and local.x, evaluated in dependency order;
//   - prerequisite.<type>.<name>, storage.<name> and cluster.<name>: objects
//     with the attributes address, name and type. The decoder does not look up
//     their targets. The planner reports prerequisite cycles;
//   - secret.x and sensitive variables, which evaluate to the marked tag
//     <% $secrets.x %>. A modified tag in an argument is an error;
//   - each.key and each.value in a block with for_each;
//   - the standard functions, and file functions that cannot leave the
//     workspace directory.
//
// The decoder treats a null argument like an omitted argument. It omits null
// elements in a list of references.
//
// This package does not check that the model is consistent; hclspec.Validate
// does. For example, the job must declare each task role in a deployment. A
// completion policy must not require more tasks than the task role has.
// hclspec/protocol reads protocol YAML. User mistakes are diagnostics. The
// decoder reports every mistake and returns a model of all valid parts.
package syntax
