// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// Load reads a workspace and checks the model. It collects the diagnostics for
// all files and sorts them by position. The result is never nil. If there are
// errors, the result is incomplete, and callers must not use it for a plan.
func Load(o Options) (*Loaded, hcl.Diagnostics) { return loadWorkspace(o, nil) }

// LoadForInit is like Load, but fetches modules that are not locked or not on
// this machine. [Loaded.Init] records these modules.
func LoadForInit(ctx context.Context, o Options, init InitOptions) (*Loaded, hcl.Diagnostics) {
	return loadWorkspace(o, newModuleInit(ctx, o, init))
}

func loadWorkspace(o Options, init *moduleInit) (*Loaded, hcl.Diagnostics) {
	l := &loader{
		options: o,
		loaded: &Loaded{
			Files: map[string][]byte{}, Read: map[string]string{}, environ: o.Environ, path: o.Path, marketplaces: o.Marketplaces, vars: o.Vars, varFiles: o.VarFiles,
			Workspace: &hclspec.Workspace{Sources: hclspec.SourceMap{}}, modules: init,
		},
	}
	l.load()
	l.loadPolicies()
	return l.loaded, hclspec.Sort(l.diags)
}

// loader is the state of one call to Load.
type loader struct {
	options Options
	loaded  *Loaded
	// shown is the path of the directory in the form that the user specified.
	shown string
	diags hcl.Diagnostics
	// beside contains the diagnostics about the other files in a job file's
	// directory.
	beside hcl.Diagnostics
	// given contains all values. unmatched contains the values that do not match
	// any variable.
	given, unmatched []syntax.Value
}

func (l *loader) report(d *hcl.Diagnostic) { l.diags = append(l.diags, d) }

// aboutAddress returns a hint if the user passed an address instead of a path.
func aboutAddress(path string) message.Text {
	if kind, _, ok := strings.Cut(path, "."); !ok || kind != "job" {
		return message.Text{}
	}
	return message.Textf(" The argument must be the path of a directory or file, but looks like the address of a job.")
}

func (l *loader) loadPolicies() {
	var diags hcl.Diagnostics
	l.loaded.Policies, diags = LoadPolicies(l.options.Policies)
	l.diags = append(l.diags, diags...)
}

func (l *loader) load() {
	if marketplace.IsReference(l.options.Path) {
		l.loadReference(l.options.Path)
		return
	}
	path := filepath.Clean(l.options.Path) // "" is "."
	info, err := os.Stat(path)
	if err != nil && kindOf(path) != kindOther {
		l.report(hclspec.UnreadableFile.At(hcl.Range{}, "%s cannot be read: %s.", path, cause(err)))
		return
	}
	if err != nil {
		l.report(NotFound.At(hcl.Range{}, "%s cannot be read: %s.%s", path, cause(err), aboutAddress(path)))
		return
	}
	dir := path
	if !info.IsDir() {
		dir = filepath.Dir(path)
	}
	l.shown = dir
	l.loaded.Dir, err = filepath.Abs(dir)
	if err != nil {
		l.report(NotFound.At(hcl.Range{}, "%s cannot be found: %s.", path, cause(err)))
		return
	}
	if info.IsDir() {
		l.loadDirectory(path)
	} else {
		l.loadFile(path)
	}
	l.finish()
}

func (l *loader) loadReference(reference string) {
	var err error
	l.shown = "."
	if l.loaded.Dir, err = filepath.Abs("."); err != nil {
		l.report(NotFound.At(hcl.Range{}, "The current directory cannot be determined: %s.", cause(err)))
		return
	}
	l.loadItem(reference)
	l.finish()
}

func (l *loader) loadDirectory(dir string) {
	found, err := list(dir)
	if err != nil {
		l.report(NotFound.At(hcl.Range{}, "%s cannot be read: %s.", dir, cause(err)))
		return
	}
	found.hcl = slices.DeleteFunc(found.hcl, func(name string) bool { return slices.Contains(l.options.Except, filepath.Base(name)) })
	if len(found.hcl) == 0 {
		hint := yamlHint(dir)
		l.loaded.Empty = hint.Empty()
		l.report(hclspec.WorkspaceEmpty.At(hcl.Range{}, "%s contains no *.pai.hcl or *.pai.hcl.json file.%s", dir, hint))
	}
	l.decode(found)
	l.loaded.Named = l.loaded.Workspace.Name != ""
	l.loaded.Workspace.Name = cmp.Or(l.loaded.Workspace.Name, defaultName(l.loaded.Dir))
}

// yamlHint returns a hint for a directory with job files but no HCL files.
func yamlHint(dir string) message.Text {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return message.Text{}
	}
	for _, e := range entries {
		if kindOf(e.Name()) == kindYAML {
			return message.Textf(" To use a protocol YAML file, pass its path, for example %s. If the command has the option %s, pass the path with this option.", filepath.Join(dir, e.Name()), message.OptionPath)
		}
	}
	return message.Text{}
}

// loadFile reads one file as a separate workspace.
func (l *loader) loadFile(path string) {
	switch kindOf(path) {
	case kindHCL:
		l.decode(listing{hcl: []string{path}})
		l.loaded.Named = l.loaded.Workspace.Name != ""
		l.loaded.Workspace.Name = fileName(cmp.Or(l.loaded.Workspace.Name, defaultName(l.loaded.Dir)), path)
	case kindYAML:
		l.unmatched = l.values(nil)
		l.loadJobFile(path)
		l.loadNeighbors()
		l.loaded.Workspace.Name = fileName(defaultName(l.loaded.Dir), path)
		l.rename()
	default:
		l.report(UnknownFileKind.At(hcl.Range{}, "%s is neither HCL (.pai.hcl, .pai.hcl.json) nor protocol YAML (.yaml, .yml).", path))
	}
}

func (l *loader) decode(found listing) {
	in := syntax.Input{Files: map[string][]byte{}, Dir: l.loaded.Dir, FileRead: l.recordRead}
	for _, name := range found.hcl {
		if src, ok := l.read(name, hcl.Range{}); ok {
			in.Files[name] = src
		}
	}
	if len(in.Files) < len(found.hcl) {
		return // the unreadable file may contain the missing declarations
	}
	l.given = l.values(found.variables)
	in.Values = l.given
	in.Locals = l.options.Recorded.Locals
	in.Module = l.modules().find
	in.Undeclared = func(v syntax.Value) { l.unmatched = append(l.unmatched, v) }
	ws, diags := syntax.Decode(in)
	l.diags = append(l.diags, diags...)
	l.loaded.Workspace = ws
	l.recordedDefaults()
}

// recordedDefaults replaces cluster defaults with the recorded defaults.
func (l *loader) recordedDefaults() {
	for _, c := range l.loaded.Workspace.Clusters {
		text, ok := l.options.Recorded.Clusters[c.Name]
		if !ok {
			continue
		}
		if err := c.SetDefaults(text); err != nil {
			l.report(InvalidVariableArgument.At(hcl.Range{}, "%s.", err))
		}
	}
}

// read returns the content of a file. It also stores the content, so that
// diagnostics can quote snippets.
func (l *loader) read(name string, from hcl.Range) ([]byte, bool) {
	src, diag := read(name, from)
	if diag != nil {
		l.report(diag)
		return nil, false
	}
	l.loaded.Files[name] = src
	return src, true
}

// recordRead records a file that an HCL function read. For the workspace,
// path is absolute. For a module, path begins with the workspace directory as
// the user specified it.
func (l *loader) recordRead(path, sum string) {
	if below, err := filepath.Rel(l.loaded.Dir, path); err == nil {
		path = filepath.Join(l.shown, below)
	}
	if l.loaded.Read[path] == "" {
		l.loaded.Read[path] = sum
	}
}

// finish adds the parts that do not come from HCL and checks the whole model.
// If there is a version error, finish reports only this error. Other
// diagnostics may be consequences of the wrong version.
func (l *loader) finish() {
	ws := l.loaded.Workspace
	ws.Dir = l.loaded.Dir
	if diags := checkVersion(ws, l.options.Version); len(diags) > 0 {
		l.diags = diags
		return
	}
	l.addProtocols()
	l.setParameters()
	l.setChoices()
	l.addMarketplaces()
	l.locateKubeconfigs()
	l.checkSources()
	l.reportNeighbors()
	l.addStorages()
	l.diags = append(l.diags, hclspec.Validate(ws)...)
}

// locateKubeconfigs makes kubeconfig paths absolute. Like other declared paths,
// they are relative to the workspace directory.
func (l *loader) locateKubeconfigs() {
	for _, c := range l.loaded.Workspace.Clusters {
		if c.Kubeconfig != "" && !filepath.IsAbs(c.Kubeconfig) && !strings.HasPrefix(c.Kubeconfig, "~/") {
			c.Kubeconfig = filepath.Join(l.loaded.Dir, c.Kubeconfig)
		}
	}
}

// checkVersion compares required_version with the release of the program.
func checkVersion(ws *hclspec.Workspace, release string) hcl.Diagnostics {
	if ws.RequiredVersion == "" || release == "" {
		return nil
	}
	at := ws.Sources.Range(hclspec.Path("openpai").Attr("required_version"))
	want, err := version.NewConstraint(ws.RequiredVersion)
	if err != nil {
		return hcl.Diagnostics{InvalidRequiredVersion.At(at, "Invalid version constraint %q. Write one or more constraints, separated by commas, for example \">= 0.1, < 0.3\".", ws.RequiredVersion)}
	}
	// A development build has the version of the next release.
	if have := version.Must(version.NewVersion(release)).Core(); !want.Check(have) {
		return hcl.Diagnostics{UnsupportedVersion.At(at, "This workspace requires openpai %s, but this openpai has the version %s. Install a matching version, or change required_version.", ws.RequiredVersion, release)}
	}
	return nil
}
