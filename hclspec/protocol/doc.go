// SPDX-License-Identifier: MPL-2.0

// Package protocol reads and writes OpenPAI job protocol YAML.
//
// It reads four dialects: jobs of protocol version 2; fragments, which are
// such jobs without a header; jobs in the older "submit job v2" format; and
// files of marketplace items or older components. It converts the older
// formats while it reads them. The field table of hclspec drives the decoder,
// which returns an hclspec model and a source map.
//
// The package accepts the additions in this project's specification.
// Otherwise, it rejects the same files as the OpenPAI rest-server. For
// deviations that are common in real files, it reports a warning instead of
// an error. The package limits the size, the depth and the alias expansion of
// a file. It does not panic on any input. hclspec.Validate and
// planner/resolve check the model in the same way for all syntaxes.
//
// Sources of the rules: microsoft/openpai-protocol: schemas/v2/schema.yaml and
// microsoft/pai: src/rest-server/src/config/v2/protocol.js.
package protocol
