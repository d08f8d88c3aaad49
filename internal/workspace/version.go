package workspace

import (
	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// checkVersion compares required_version with the release of the program.
func checkVersion(ws *hclspec.Workspace, release string) hcl.Diagnostics {
	if ws.RequiredVersion == "" || release == "" {
		return nil
	}
	at := ws.Sources.Range(hclspec.Path("openpai").Attr("required_version"))
	want, err := version.NewConstraint(ws.RequiredVersion)
	if err != nil {
		return hcl.Diagnostics{hclspec.InvalidRequiredVersion.At(at, "%q is not a version constraint. Write constraints such as \">= 0.1\", separated by commas.", ws.RequiredVersion)}
	}
	// A development build counts as the release it becomes.
	if have := version.Must(version.NewVersion(release)).Core(); !want.Check(have) {
		return hcl.Diagnostics{hclspec.UnsupportedVersion.At(at, "This workspace requires openpai %s, and this is openpai %s. Install a version that fits, or change required_version.", ws.RequiredVersion, release)}
	}
	return nil
}
