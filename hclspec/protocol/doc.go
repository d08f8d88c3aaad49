// SPDX-License-Identifier: MPL-2.0

// Package protocol reads and writes OpenPAI job protocol YAML.
//
// It reads four dialects: jobs of protocol version 2, such jobs without a
// header (fragments), the older "submit job v2" format with tasks, which it
// converts, and files of marketplace items or older components. The field table
// of hclspec drives the decoder, which returns the model of hclspec and a
// source map.
//
// The package rejects the same files as the OpenPAI rest-server, except for
// additions of this project's specification. It accepts deviations that are
// common in real files, with a warning. Reading is bounded in bytes, depth and
// alias expansion, and never panics. hclspec.Validate and planner/resolve check
// the model, for all syntaxes alike.
//
// Sources of the rules: microsoft/openpai-protocol: schemas/v2/schema.yaml and
// microsoft/pai: src/rest-server/src/config/v2/protocol.js.
package protocol
