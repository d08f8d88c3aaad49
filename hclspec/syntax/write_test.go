// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"golang.org/x/tools/txtar"
)

func decodeWritten(t *testing.T, name string, src []byte, want *hclspec.Workspace) {
	t.Helper()
	got, diags := Decode(Input{Files: map[string][]byte{name: src}, Dir: want.Dir})
	if diags.HasErrors() {
		t.Fatalf("the written file has errors:\n%s\n%s", listing(diags), src)
	}
	if diff := cmp.Diff(string(dump(t, want)), string(dump(t, got))); diff != "" {
		t.Fatalf("the model differs (-written +read):\n%s\n%s", diff, src)
	}
}

func TestWriteGivesAnEqualModel(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"job_full", "workspace_full"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			in, _ := inputs(t, archive)
			ws, diags := Decode(in)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			withoutInstances(ws)
			decodeWritten(t, "a.pai.hcl", Write(ws, WriteOptions{}), ws)
			decodeWritten(t, "a.pai.hcl.json", WriteJSON(ws, WriteOptions{}), ws)
		})
	}
}

// withoutInstances removes parts that Write cannot express.
func withoutInstances(ws *hclspec.Workspace) {
	ws.Variables, ws.Locals = nil, nil
	kept := ws.Prerequisites[:0]
	for _, p := range ws.Prerequisites {
		if !strings.Contains(p.Name, "[") {
			kept = append(kept, p)
		}
		for i, r := range p.Require {
			if strings.HasSuffix(r.Target, "]") && strings.Contains(r.Target, ".all[") {
				p.Require[i].Target = "elsewhere"
			}
		}
	}
	ws.Prerequisites = kept
}

// TestEveryModelIsReadAsItWasWritten fills models with random values from the field
// table. The test therefore also covers fields that are added to the table later.
func TestEveryModelIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	for seed := range uint64(150) {
		m := &modeler{Rand: rand.New(rand.NewPCG(seed, 1))}
		ws := m.workspace()
		decodeWritten(t, "a.pai.hcl", Write(ws, WriteOptions{}), ws)
		decodeWritten(t, "a.pai.hcl.json", WriteJSON(ws, WriteOptions{}), ws)
	}
}

func TestWriteIsDeterministicAndFormatted(t *testing.T) {
	t.Parallel()
	ws := (&modeler{Rand: rand.New(rand.NewPCG(7, 7))}).workspace()
	first, firstJSON := string(Write(ws, WriteOptions{})), string(WriteJSON(ws, WriteOptions{}))
	for range 100 {
		if string(Write(ws, WriteOptions{})) != first || string(WriteJSON(ws, WriteOptions{})) != firstJSON {
			t.Fatal("two calls returned different bytes")
		}
	}
	if diff := cmp.Diff(first, string(Format([]byte(first)))); diff != "" {
		t.Errorf("the written file is not in normal form (-written +formatted):\n%s", diff)
	}
}

// modeler creates random models.
type modeler struct{ *rand.Rand }

func (m *modeler) workspace() *hclspec.Workspace {
	ws := &hclspec.Workspace{Name: "team", Sources: hclspec.SourceMap{}}
	m.items(hclspec.SecretBlock, &ws.Secrets, func(i int, s *hclspec.Secret) { s.Name, s.Value = fmt.Sprintf("s%d", i), nil })
	m.items(hclspec.MarketplaceBlock, &ws.Marketplaces, func(i int, x *hclspec.Marketplace) { x.Name = fmt.Sprintf("m%d", i) })
	m.items(hclspec.ClusterBlock, &ws.Clusters, func(i int, c *hclspec.Cluster) { c.Name = fmt.Sprintf("c%d", i) })
	m.items(hclspec.StorageBlock, &ws.Storages, func(i int, s *hclspec.Storage) { s.Name = fmt.Sprintf("st-%d", i) })
	m.items(hclspec.PrerequisiteBlock, &ws.Prerequisites, func(i int, p *hclspec.Prerequisite) {
		p.Type, p.Name = hclspec.PrerequisiteTypes[i%5], fmt.Sprintf("%dp", i)
	})
	m.items(hclspec.JobBlock, &ws.Jobs, func(i int, j *hclspec.Job) {
		j.Label, j.Syntax, j.Secrets = fmt.Sprintf("j%d", i), hclspec.SyntaxHCL, nil
		if j.Name == "" {
			j.Name = j.Label
		}
	})
	m.items(hclspec.ProtocolBlock, &ws.Protocols, func(i int, p *hclspec.Protocol) { p.Label = fmt.Sprintf("y%d", i) })
	return ws
}

func (m *modeler) items(b *hclspec.Block, list any, label any) {
	v := reflect.ValueOf(list).Elem()
	for i := range m.IntN(4) {
		item := reflect.New(b.Type)
		m.fill(b, item.Elem())
		reflect.ValueOf(label).Call([]reflect.Value{reflect.ValueOf(i), item})
		v.Set(reflect.Append(v, item))
	}
}

// fill sets random fields to random values and other fields to their
// defaults.
func (m *modeler) fill(b *hclspec.Block, into reflect.Value) {
	b.SetDefaults(into)
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Go == "" || f.Block == hclspec.SecretBlock || m.IntN(2) == 0 && !f.Required {
			continue
		}
		v := into.FieldByName(f.Go)
		switch f.Kind {
		case hclspec.Object:
			m.fill(f.Block, v)
		case hclspec.OptionalObject:
			v.Set(reflect.New(f.Block.Type))
			m.fill(f.Block, v.Elem())
		case hclspec.Objects:
			for j := range 1 + m.IntN(2) {
				item := reflect.New(f.Block.Type)
				m.fill(f.Block, item.Elem())
				for _, l := range f.Block.Labels {
					item.Elem().FieldByName(l).SetString(fmt.Sprintf("l%d", j))
				}
				if f.Block == hclspec.PrerequisiteBlock {
					item.Elem().FieldByName("Type").SetString("script")
				}
				v.Set(reflect.Append(v, item))
			}
		default:
			m.value(f, v)
		}
	}
}

var someTexts = []string{
	"plain", "with \"quotes\" and \\ backslash", "${not} $${one} %{if} %%{x} $", "tab\tand\rreturn", "two\nlines", "three\n\n  lines\nEOT\n",
	"  indented\n  both\n", "<% $secrets.s0 %>", "a <% $secrets.s1 %> b\n<% $secrets.s0 %>\n", "<% $parameters.x %>", "\u0001\u2028ü", " ", "\n", "\n\n", "x\n ", "- ${A}\n\t- tab\n",
}

func (m *modeler) text() string { return someTexts[m.IntN(len(someTexts))] }

func (m *modeler) value(f *hclspec.Field, v reflect.Value) {
	switch {
	case len(f.Values) > 0:
		v.SetString(f.Values[m.IntN(len(f.Values))])
	case f.Format == hclspec.FormatDuration:
		v.SetString("{{ " + m.text() + " }}")
	case f.Pattern != "" && f.AlsoNumber:
		v.SetString("2.5")
	case f.Pattern != "" && f.Kind == hclspec.String:
		v.SetString(strings.Repeat("a", 64))
	case f.Kind == hclspec.Text:
	case f.Kind == hclspec.Ref && v.Kind() == reflect.String:
		v.SetString(fmt.Sprintf("c%d", m.IntN(3)))
	case f.Kind == hclspec.Ref:
		v.Set(reflect.ValueOf(m.reference()))
	case f.Kind == hclspec.Refs:
		v.Set(reflect.ValueOf([]hclspec.Reference{m.reference(), m.reference()}))
	case f.Kind == hclspec.StorageUses:
		v.Set(reflect.ValueOf([]*hclspec.StorageUse{{Name: "storage.st-0", MountPath: "/mnt"}, {Name: "storage.st-1"}, {Name: "x", ReadOnly: true}}))
	case f.Kind == hclspec.Dur:
		v.SetInt(int64(m.IntN(1e6)) * 1e9)
	case f.Kind == hclspec.IntMap:
		v.Set(reflect.ValueOf(map[string]int{"a": 1 + m.IntN(5), "b": 2}))
	default:
		m.plain(v)
		if f.NonEmpty && v.Len() == 0 {
			v.Set(reflect.ValueOf([]string{m.text()}))
		}
	}
}

func (m *modeler) reference() hclspec.Reference {
	r := hclspec.Reference{Target: []string{"name", "marketplace://x/y", `prerequisite.dockerimage["0p"]`, `prerequisite.data["1p"]`, "prerequisite.script.l0"}[m.IntN(5)]}
	if m.IntN(3) == 0 {
		r.With = map[string]any{"a": m.text(), "n": hclspec.Number("1.50")}
	}
	return r
}

func (m *modeler) plain(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(m.text())
	case reflect.Bool:
		v.SetBool(m.IntN(2) == 0)
	case reflect.Int:
		v.SetInt(int64(1 + m.IntN(9)))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		m.plain(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), m.IntN(4), 4))
		for i := range v.Len() {
			m.plain(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range m.IntN(4) {
			element := reflect.New(v.Type().Elem()).Elem()
			m.plain(element)
			v.SetMapIndex(reflect.ValueOf([]string{"a", "B_1", "for", "a b", "${x}", "true", "k-e"}[m.IntN(7)]), element)
		}
	case reflect.Interface:
		anyValues := []any{nil, true, hclspec.Number("1.0"), hclspec.Number("-1e-3"), m.text(), []any{}, []any{hclspec.Number("2"), m.text()}, map[string]any{}, map[string]any{"x": m.text(), "for": nil}}
		if chosen := anyValues[m.IntN(len(anyValues))]; chosen != nil {
			v.Set(reflect.ValueOf(chosen))
		}
	}
}

// Write must not search the rest of the string again for each secret. Repeated
// searches would take a minute.
func TestTextsOfManyReferencesAreWrittenInLinearTime(t *testing.T) {
	t.Parallel()
	const count = 100_000
	ws := &hclspec.Workspace{Secrets: []*hclspec.Secret{{Name: "used"}, {Name: "never"}}}
	w := newWriter(ws, WriteOptions{})
	got := w.template(strings.Repeat("a<% $secrets.used %><% $secrets.other %>", count) + "b")
	want := template{{plain: "a"}}
	for range count - 1 {
		want = append(want, templatePart{interp: "secret.used"}, templatePart{plain: "<% $secrets.other %>a"})
	}
	want = append(want, templatePart{interp: "secret.used"}, templatePart{plain: "<% $secrets.other %>b"})
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d parts, want %d", len(got), len(want))
	}
}
