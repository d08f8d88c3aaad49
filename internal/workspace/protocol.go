// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
)

// loadJobFile reads protocol YAML as a workspace with one job.
func (l *loader) loadJobFile(path string) {
	src, ok := l.read(path, hcl.Range{})
	if !ok {
		return
	}
	l.addJob(path, src, hcl.Range{}, &hclspec.Protocol{})
}

func (l *loader) addProtocols() {
	ws := l.loaded.Workspace
	for _, p := range ws.Protocols {
		at := ws.Sources.Range(p.Path.Attr("file"))
		path, ok := l.inside(p.File, at)
		if !ok {
			continue
		}
		src, ok := l.read(path, at)
		if !ok {
			continue
		}
		l.addJob(path, src, at, p)
	}
}

// addJob adds a job with the label and cluster of the protocol block. The
// label defaults to the job name.
func (l *loader) addJob(path string, src []byte, from hcl.Range, block *hclspec.Protocol) {
	file, diags := protocol.ParseLabel(block.Label, path, src)
	l.diags = append(l.diags, withoutMasked(diags, file, block)...)
	if file == nil {
		return
	}
	if file.Job == nil {
		if !diags.HasErrors() {
			l.report(NotAJobFile.At(place(path, from), "%s declares marketplace items but no job.", path))
		}
		return
	}
	file.Job.Cluster = block.Cluster
	l.takeSources(file.Job, filepath.Dir(path))
	l.takeSecrets(file, block)
	ws := l.loaded.Workspace
	ws.Jobs = append(ws.Jobs, file.Job)
	ws.Sources.Merge(file.Sources)
	if at, ok := ws.Sources[block.Path.Attr("cluster")]; ok {
		ws.Sources[file.Job.Path.Attr("cluster")] = at
	}
}

// takeSecrets replaces the secrets of the file with the secrets of the
// protocol block. The file therefore does not have to contain the values.
func (l *loader) takeSecrets(file *protocol.File, block *hclspec.Protocol) {
	for _, s := range block.Secrets {
		i := slices.IndexFunc(file.Job.Secrets, func(o *hclspec.Secret) bool { return o.Name == s.Name })
		if i < 0 {
			l.report(hclspec.UnknownSecret.At(l.loaded.Workspace.Sources.Range(s.Path), "%s does not declare the secret %q.%s", block.File, s.Name, hclspec.Suggest(s.Name, secretNames(file.Job))))
			continue
		}
		file.Job.Secrets[i] = s
	}
}

func secretNames(job *hclspec.Job) []string {
	var names []string
	for _, s := range job.Secrets {
		names = append(names, s.Name)
	}
	return names
}

// withoutMasked removes the warnings about masked secrets that the protocol
// block declares.
func withoutMasked(diags hcl.Diagnostics, file *protocol.File, block *hclspec.Protocol) hcl.Diagnostics {
	if file == nil || file.Job == nil {
		return diags
	}
	replaced := map[hcl.Range]bool{}
	for _, s := range file.Job.Secrets {
		replaced[file.Sources.Range(s.Path)] = slices.ContainsFunc(block.Secrets, func(o *hclspec.Secret) bool { return o.Name == s.Name })
	}
	return slices.DeleteFunc(diags, func(d *hcl.Diagnostic) bool {
		return hclspec.EntryOf(d) == hclspec.MaskedSecret && d.Subject != nil && replaced[*d.Subject]
	})
}

// inside returns the path of a file in the workspace, as messages show it. It
// rejects paths outside the workspace, including paths through symbolic
// links.
func (l *loader) inside(file string, at hcl.Range) (string, bool) {
	shown := filepath.Clean(file)
	if !filepath.IsAbs(file) {
		shown = filepath.Join(l.shown, file)
	}
	rel, err := filepath.Rel(realPath(l.loaded.Dir), realPath(shown))
	if err != nil || !filepath.IsLocal(rel) {
		l.report(FileOutsideWorkspace.At(at, "%s is outside the workspace directory %s. Move or copy the file into the workspace.", file, l.shown))
		return "", false
	}
	return shown, true
}

// realPath returns the absolute path without symbolic links. It resolves links
// only in the existing part of the path.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if target, err := filepath.EvalSymlinks(abs); err == nil {
		return target
	}
	parent := filepath.Dir(abs)
	if parent == abs {
		return abs
	}
	return filepath.Join(realPath(parent), filepath.Base(abs))
}
