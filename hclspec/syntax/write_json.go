package syntax

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// WriteJSON is [Write] in HCL's JSON syntax. Blocks are lists, so that their
// order is kept.
func WriteJSON(ws *hclspec.Workspace, o WriteOptions) []byte {
	var b bytes.Buffer
	writeBody(&b, nil, newWriter(ws, o).workspace())
	var out bytes.Buffer
	if err := json.Indent(&out, b.Bytes(), "", "  "); err != nil {
		panic("syntax: wrote what is not JSON: " + err.Error())
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// writeBody writes arguments and blocks as one object.
func writeBody(b *bytes.Buffer, attributes []attribute, blocks []*block) {
	b.WriteByte('{')
	separator := ""
	for _, a := range attributes {
		b.WriteString(separator + jsonText(a.name) + ":")
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
			continue // written with the first of its type
		}
		delete(byType, nested.name)
		b.WriteString(separator + jsonText(nested.name) + ":[")
		for i, one := range same {
			if i > 0 {
				b.WriteByte(',')
			}
			for _, label := range one.labels {
				b.WriteString("{" + jsonText(label) + ":")
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
		b.WriteString(jsonText("${" + string(v) + "}"))
	case address:
		b.WriteString(jsonText(string(v)))
	case literal:
		b.WriteString(string(v))
	case text:
		b.WriteString(jsonText(v.template(identity)))
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
			b.WriteString(jsonText(marks.Replace(a.name)) + ":")
			writeJSONValue(b, a.value)
		}
		b.WriteByte('}')
	default:
		panic(fmt.Sprintf("syntax: a value of type %T", v))
	}
}

// jsonText quotes a text and leaves <, > and & as they are.
func jsonText(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("syntax: a text is not JSON: " + err.Error())
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
