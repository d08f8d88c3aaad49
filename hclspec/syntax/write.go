// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"maps"
	"reflect"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// WriteOptions configure how a model is written.
type WriteOptions struct {
	// SecretEnv returns the environment variable to write instead of a secret
	// value. If SecretEnv is nil, the variable has the secret's name in upper
	// case.
	SecretEnv func(name string) string
	// ParameterVariables turns job parameters into variables. The parameter values
	// become the defaults. Only string, number and bool parameters with a valid
	// variable name become variables.
	ParameterVariables bool
	// Variables selects how to write a parameter if another file declares its
	// variable. The key is the name of the parameter.
	Variables map[string]VariableUse
	// SecretsElsewhere are the names of secrets that other files declare.
	SecretsElsewhere []string
	// Elsewhere holds the addresses that other files declare; Write writes them
	// as references.
	Elsewhere map[string]bool
	// Explicit reports whether the source contains a value for the path. Write
	// writes such a value even if it is the default. It may be nil.
	Explicit func(hclspec.Path) bool
	// Comments are written at their paths, or as close to them as possible. JSON has no
	// comments, so WriteJSON omits them.
	Comments []hclspec.Comment
}

// Write returns a model as HCL. Decoding the result returns an identical
// model, except for secret values, instances of for_each, variables, and
// numbers in a notation that HCL does not support. For a variable, the model
// contains only the value.
func Write(ws *hclspec.Workspace, o WriteOptions) []byte {
	blocks := newWriter(ws, o).workspace()
	above, below := annotate(blocks, o.Comments)
	var p nativePrinter
	p.file(blocks, above, below)
	return Format([]byte(p.out.String()))
}

// writer converts a model to blocks.
type writer struct {
	ws      *hclspec.Workspace
	options WriteOptions
	// declared holds the addresses that expressions can refer to.
	declared map[string]bool
	// secrets maps the tag of each declared secret to a reference.
	secrets map[string]expression
	// variables maps the path of a value to the variable that replaces it.
	variables map[hclspec.Path]string
}

func newWriter(ws *hclspec.Workspace, o WriteOptions) *writer {
	if o.SecretEnv == nil {
		o.SecretEnv = envName
	}
	w := &writer{ws: ws, options: o, declared: map[string]bool{}, secrets: map[string]expression{}}
	if o.ParameterVariables {
		w.variables = parameterVariables(ws.Jobs, o.Variables)
	}
	for address := range o.Elsewhere {
		w.declared[address] = true
	}
	for _, p := range ws.Prerequisites {
		w.declared[p.Address().String()] = true
	}
	for _, s := range ws.Storages {
		w.declared[s.Address().String()] = true
	}
	for _, c := range ws.Clusters {
		w.declared[c.Address().String()] = true
	}
	w.declareSecrets(ws.Secrets)
	for _, name := range o.SecretsElsewhere {
		w.secrets[secretTag(name)] = expression(hclspec.NewAddress("secret", name))
	}
	return w
}

func (w *writer) declareSecrets(declared []*hclspec.Secret) {
	for _, s := range declared {
		w.secrets[secretTag(s.Reference())] = expression(hclspec.NewAddress("secret", s.Name))
	}
}

// envName converts a secret name to the name of an environment variable.
func envName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, strings.ToUpper(name))
}

func (w *writer) workspace() []*block {
	var all []*block
	if w.ws.Name != "" || w.ws.RequiredVersion != "" || w.ws.RunRecords != "" || w.ws.HistoryLimit != 0 {
		all = append(all, w.block(hclspec.OpenPAIBlock, "openpai", reflect.ValueOf(w.ws).Elem(), "openpai"))
	}
	all = append(all, w.declareVariables()...)
	all = append(all, writeAll(w, hclspec.SecretBlock, w.withSources(w.ws.Secrets))...)
	all = append(all, writeAll(w, hclspec.MarketplaceBlock, w.ws.Marketplaces)...)
	all = append(all, writeAll(w, hclspec.ClusterBlock, w.ws.Clusters)...)
	all = append(all, writeAll(w, hclspec.StorageBlock, w.ws.Storages)...)
	all = append(all, writeAll(w, hclspec.PrerequisiteBlock, w.ws.Prerequisites)...)
	for _, j := range w.ws.Jobs {
		all = append(all, w.job(j))
	}
	for _, p := range w.ws.Protocols {
		written := *p
		written.Secrets = w.withSources(p.Secrets)
		all = append(all, w.block(hclspec.ProtocolBlock, "protocol", reflect.ValueOf(&written).Elem(), ""))
	}
	for _, m := range w.ws.Moved {
		b := &block{name: "moved", path: m.Path}
		b.set("from", address(m.From))
		b.set("to", address(m.To))
		all = append(all, b)
	}
	return all
}

func writeAll[T any](w *writer, b *hclspec.Block, items []*T) []*block {
	var all []*block
	for _, item := range items {
		all = append(all, w.block(b, b.Name, reflect.ValueOf(item).Elem(), ""))
	}
	return all
}

// withSources replaces each secret value with an environment variable.
func (w *writer) withSources(secrets []*hclspec.Secret) []*hclspec.Secret {
	var all []*hclspec.Secret
	for _, s := range secrets {
		written := *s
		if s.Value != nil {
			written.Value, written.Env = nil, w.options.SecretEnv(s.Name)
		}
		all = append(all, &written)
	}
	return all
}

// job returns the block of a job. It omits the name if it is identical to the
// label. Only the job can refer to its own prerequisites and secrets.
func (w *writer) job(j *hclspec.Job) *block {
	written := *j
	inJob := &writer{ws: w.ws, options: w.options, secrets: maps.Clone(w.secrets), variables: w.variables, declared: maps.Clone(w.declared)}
	for _, p := range j.Prerequisites {
		inJob.declared[p.Address().String()] = true
	}
	inJob.declareSecrets(j.Secrets)
	written.Secrets = w.withSources(j.Secrets)
	if written.Name == written.Label {
		written.Name = ""
	}
	return inJob.block(hclspec.JobBlock, "job", reflect.ValueOf(&written).Elem(), "")
}
