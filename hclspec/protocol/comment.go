// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Comments returns the comments from a file that [Parse] has read, in file
// order. Each comment contains the path of its value. If the model does not
// contain the value, the comment belongs to the next value.
func Comments(file *File, name string, src []byte) []hclspec.Comment {
	s := newSource(name, src)
	docs, err := commented(s)
	if err != nil {
		return nil
	}
	r := &commentReader{paths: map[int]hclspec.Path{}}
	for path, at := range file.Sources {
		r.index(at.Start.Line, path)
	}
	slices.Sort(r.lines)
	for _, doc := range docs {
		r.document(doc, s)
	}
	return r.found
}

// commented returns the nodes of the documents with their comments.
func commented(s *source) ([]*yaml.Node, error) {
	if _, diags := documents(s); diags.HasErrors() {
		return nil, diags
	}
	decoder := yaml.NewDecoder(strings.NewReader(string(s.yaml())))
	var docs []*yaml.Node
	for {
		doc, err := decodeDocument(decoder)
		if err != nil {
			return docs, nil // io.EOF, or an error that Parse already reported
		}
		docs = append(docs, doc)
	}
}

// commentReader collects comments and maps lines to model paths.
type commentReader struct {
	paths map[int]hclspec.Path
	lines []int
	found []hclspec.Comment
}

// index records the outermost value that begins on each line.
func (r *commentReader) index(line int, path hclspec.Path) {
	before, known := r.paths[line]
	if !known {
		r.lines = append(r.lines, line)
	}
	if !known || len(path) < len(before) || len(path) == len(before) && path < before {
		r.paths[line] = path
	}
}

// document reads the comments of a document. Comments at the top belong to
// the file if a blank line follows.
func (r *commentReader) document(doc *yaml.Node, s *source) {
	r.add(hclspec.Comment{Above: commentLines(s, doc.HeadComment)})
	for _, content := range doc.Content {
		r.trailing(r.node(content, s), content, s)
	}
	r.add(hclspec.Comment{Below: commentLines(s, doc.FootComment)})
}

func (r *commentReader) add(c hclspec.Comment) {
	if len(c.Above)+len(c.Below) > 0 || c.Beside != "" {
		r.found = append(r.found, c)
	}
}

// node reads the comments of a node and its children, but not the comments after the
// node. It returns the last line of the node. It does not follow aliases, because it
// reads each aliased node at the anchor.
func (r *commentReader) node(n *yaml.Node, s *source) int {
	r.add(hclspec.Comment{Path: r.at(n.Line), Above: commentLines(s, n.HeadComment), Beside: strings.Join(commentLines(s, n.LineComment), " ")})
	last := n.Line
	for i, c := range n.Content {
		last = max(last, r.node(c, s))
		switch isKey := n.Kind == yaml.MappingNode && i%2 == 0; {
		case isKey:
		case n.Kind == yaml.MappingNode: // the parser assigns the comment after a value to its key
			r.trailing(last, n.Content[i-1], s)
			r.trailing(last, c, s)
		default:
			r.trailing(last, c, s)
		}
	}
	return last
}

// trailing assigns the comment after a node to the next value. last is the last line of
// the node.
func (r *commentReader) trailing(last int, n *yaml.Node, s *source) {
	lines := commentLines(s, n.FootComment)
	if path := r.at(last + 1); path != "" {
		r.add(hclspec.Comment{Path: path, Above: lines})
		return
	}
	r.add(hclspec.Comment{Below: lines})
}

// at returns the path of the value on a line, or on the next line with a value.
func (r *commentReader) at(line int) hclspec.Path {
	i, _ := slices.BinarySearch(r.lines, line)
	if i == len(r.lines) {
		return ""
	}
	return r.paths[r.lines[i]]
}

func commentLines(s *source, comment string) []string {
	var lines []string
	for line := range strings.Lines(s.show(comment)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
