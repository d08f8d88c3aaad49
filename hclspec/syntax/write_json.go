// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

// WriteJSON is like [Write], but uses HCL's JSON syntax. Blocks are lists,
// which keep their order.
func WriteJSON(ws *hclspec.Workspace, o WriteOptions) []byte {
	var b bytes.Buffer
	writeBody(&b, nil, newWriter(ws, o).workspace())
	var out bytes.Buffer
	if err := json.Indent(&out, b.Bytes(), "", "  "); err != nil {
		panic("syntax: wrote invalid JSON: " + err.Error())
	}
	out.WriteByte('\n')
	return out.Bytes()
}

func writeBody(b *bytes.Buffer, attributes []attribute, blocks []*block) {
	b.WriteByte('{')
	separator := ""
	for _, a := range attributes {
		b.WriteString(separator + jsonQuote(a.name) + ":")
		writeJSONValue(b, a.value)
		separator = ","
	}
	byType := map[string][]*block{}
	for _, nested := range blocks {
		byType[nested.name] = append(byType[nested.name], nested)
	}
	for _, nested := range blocks {
		same := byType[nested.name]
		if same == nil {
			continue // the block was written together with the first block of its type
		}
		delete(byType, nested.name)
		b.WriteString(separator + jsonQuote(nested.name) + ":[")
		for i, one := range same {
			if i > 0 {
				b.WriteByte(',')
			}
			for _, label := range one.labels {
				b.WriteString("{" + jsonQuote(label) + ":")
			}
			writeBody(b, one.attributes, one.blocks)
			b.Write(bytes.Repeat([]byte("}"), len(one.labels)))
		}
		b.WriteByte(']')
		separator = ","
	}
	b.WriteByte('}')
}

func writeJSONValue(b *bytes.Buffer, v value) {
	switch v := v.(type) {
	case expression:
		b.WriteString(jsonQuote("${" + string(v) + "}"))
	case address:
		b.WriteString(jsonQuote(string(v)))
	case literal:
		b.WriteString(string(v))
	case template:
		b.WriteString(jsonQuote(v.render(identity)))
	case list:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSONValue(b, e.value)
		}
		b.WriteByte(']')
	case object:
		b.WriteByte('{')
		for i, a := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(jsonQuote(templateEscaper.Replace(a.name)) + ":")
			writeJSONValue(b, a.value)
		}
		b.WriteByte('}')
	default:
		panic(fmt.Sprintf("syntax: a value of type %T", v))
	}
}

// jsonQuote returns s as a JSON string. It does not escape <, > and &.
func jsonQuote(s string) string {
	return string(plainjson.MustMarshal(s))
}
