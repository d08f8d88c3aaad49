// Package protocol reads and writes OpenPAI job protocol YAML.
//
// It knows four dialects: jobs of protocol version 2, the same without a
// header (fragments), the older "submit job v2" format with tasks, which is
// converted, and files of marketplace items or older components. All become
// the model of hclspec, driven by its field table, with a source map.
//
// What the rest-server of OpenPAI rejects is rejected, except for what the
// specification of this project adds; what real files need beyond the
// protocol is accepted with a warning. Reading is bounded in bytes, depth and
// alias expansion, and never panics. Whether the model makes sense is checked
// by hclspec.Validate and planner/resolve, for every syntax alike.
//
// Sources of the rules: microsoft/openpai-protocol: schemas/v2/schema.yaml and
// microsoft/pai: src/rest-server/src/config/v2/protocol.js.
package protocol
