package protocol

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

var legacySigns = strings.NewReplacer(".", "_", "~", "_")

// legacyName replaces the signs that names of the older format may have and
// those of the protocol may not.
func legacyName(name string) string { return legacySigns.Replace(name) }

// legacyRole is legacyName for task roles and port labels, which in the
// protocol have no hyphen and do not begin with a digit.
func legacyRole(name string) string {
	name = strings.ReplaceAll(legacySigns.Replace(name), "-", "_")
	if name != "" && '0' <= name[0] && name[0] <= '9' {
		return "_" + name
	}
	return name
}

func (d *decoder) renamed(n *yaml.Node, what, from, to string) {
	d.report(hclspec.LegacyRenamed.At(d.src.at(n), "%s %q is now called %q: the protocol does not allow the old name. Environment variables and paths that hold it change with it.", what, from, to))
}

// legacyType is the present name of a type of prerequisite.
func legacyType(kind string) string {
	if kind == "storage" {
		return "output"
	}
	return kind
}
