// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/planfile"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// defaultLifetime is the default time during which a saved plan can be
// applied.
const defaultLifetime = 30 * 24 * time.Hour

// variablePrefix is the prefix of environment variables that set variables of
// the workspace.
const variablePrefix = "PAI_VAR_"

func (f *workspaceFlags) savePlan(ctx context.Context, s *Streams, p *project, plan *operation.Plan, flags planFlags, path string, lifetime time.Duration) error {
	inputs, err := p.inputs()
	if err != nil {
		return err
	}
	return p.operation.Save(ctx, plan, operation.SaveOptions{
		Path: path, Version: s.version, Now: time.Now(), Lifetime: lifetime,
		Arguments: f.savedArguments(p.loaded, flags), Inputs: inputs,
	})
}

// savedArguments returns the arguments that a saved plan contains. It omits
// the values of sensitive variables.
func (f *workspaceFlags) savedArguments(loaded *workspace.Loaded, flags planFlags) operation.SavedArguments {
	a := operation.SavedArguments{
		Path: f.path, VarFiles: f.varFiles, Marketplaces: f.marketplaces, Storages: f.storages, Policies: f.policyDirectories(),
		Targets: flags.chosen(), Rerun: flags.rerun,
		Name: f.name, Deployment: f.deployment, VirtualCluster: f.virtualCluster,
	}
	plain := slices.Clone(loaded.Parameters)
	for _, v := range loaded.Workspace.Variables {
		if v.Sensitive {
			a.Sensitive = append(a.Sensitive, v.Name)
		} else {
			plain = append(plain, v.Name)
		}
	}
	assigned := append(variablesOf(os.Environ()), f.vars...)
	for _, v := range assigned {
		switch name, _, _ := strings.Cut(v, "="); {
		case slices.Contains(plain, name):
			a.Vars = append(a.Vars, v)
		case slices.Contains(a.Sensitive, name) && !slices.Contains(a.Assigned, name):
			a.Assigned = append(a.Assigned, name)
		}
	}
	return a
}

// variablesOf returns the workspace variables in an environment as
// "name=value".
func variablesOf(environ []string) []string {
	var all []string
	for _, e := range environ {
		if v, ok := strings.CutPrefix(e, variablePrefix); ok {
			all = append(all, v)
		}
	}
	return all
}

// inputs returns hashes of the sources, of files that functions read, and of the lock
// file.
func (p *project) inputs() (map[string]string, error) {
	all := maps.Clone(p.loaded.Read)
	for name, content := range p.loaded.Files {
		all[name] = sum(content)
	}
	content, err := os.ReadFile(filepath.Join(p.loaded.Dir, lockfile.Name))
	switch {
	case err == nil:
		all[lockfile.Name] = sum(content)
	case !errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("read the lock file: %w", err)
	}
	return all, nil
}

func sum(content []byte) string {
	h := sha256.Sum256(content)
	return hex.EncodeToString(h[:])
}

// savedPlan returns the first argument that is a saved plan, or "". It recognizes
// a plan by its first line.
func savedPlan(args []string) string {
	for _, a := range args {
		if planfile.Is(a) {
			return a
		}
	}
	return ""
}

// planInputs are the flags whose values a saved plan contains.
var planInputs = []string{"var", "var-file", "marketplace", "storage", "job", "target", "rerun", "name", "deployment", "virtual-cluster"}

// checkAlone rejects arguments and flags that would change a saved plan.
func checkAlone(cmd *cobra.Command, args []string, file string) error {
	for _, a := range args {
		if a != file {
			return fmt.Errorf("unexpected argument %q: the saved plan %s already determines the path and jobs", a, file)
		}
	}
	for _, name := range planInputs {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("unexpected flag --%s: the saved plan %s already determines its value", name, file)
		}
	}
	return nil
}

// openSaved reads a saved plan. It can return both a plan and an error. Such a
// plan is for display only.
func openSaved(s *Streams, file string) (*operation.Saved, error) {
	saved, diags, err := operation.OpenSaved(file, s.version, time.Now())
	if err != nil {
		return nil, err
	}
	if diags.HasErrors() {
		return saved, &diagnosticsError{diags: diags}
	}
	return saved, nil
}

// resume sets the flags to the arguments of a saved plan. It omits
// environment variables with values of workspace variables that are not
// sensitive.
func (f *workspaceFlags) resume(a operation.SavedArguments, flags *planFlags) {
	f.path, f.vars, f.varFiles, f.marketplaces, f.storages = a.Path, a.Vars, a.VarFiles, a.Marketplaces, a.Storages
	f.policies = append(slices.Clone(a.Policies), f.policies...)
	f.name, f.deployment, f.virtualCluster = a.Name, a.Deployment, a.VirtualCluster
	flags.jobs, flags.targets, flags.rerun = a.Targets, nil, a.Rerun
	f.environ = slices.DeleteFunc(os.Environ(), func(e string) bool {
		v, ok := strings.CutPrefix(e, variablePrefix)
		name, _, _ := strings.Cut(v, "=")
		return ok && !slices.Contains(a.Sensitive, name)
	})
}

// applySaved applies exactly the changes of the saved plan, or fails and
// applies nothing.
func (o *applyOptions) applySaved(ctx context.Context, file string) error {
	saved, err := openSaved(o.streams, file)
	if err != nil {
		return err
	}
	o.workspace.resume(saved.Arguments, &o.flags)
	// Ignore errors: the files may declare a different workspace that is
	// invalid with these arguments.
	loaded, _ := o.workspace.load()
	early := &project{loaded: loaded}
	if loaded.Workspace.Name != "" {
		if err := early.refused(saved.CheckWorkspace(early.workspace())); err != nil {
			return err
		}
	}
	if err := early.refused(saved.CheckVariables(variablesOf(os.Environ()))); err != nil {
		return err
	}
	p, err := o.workspace.open()
	if err != nil {
		return err
	}
	plan, err := o.applySame(ctx, saved, p)
	if err != nil {
		return err
	}
	return o.applied(ctx, plan)
}

// maxReplans is the maximum number of plans that applySame creates. A job can change
// between plan and apply. For example, a deletion that a killed apply started may
// complete after the plan is created.
const maxReplans = 5

// applySame plans again, and applies the new plan only if it matches the
// saved plan.
func (o *applyOptions) applySame(ctx context.Context, saved *operation.Saved, p *project) (*operation.Plan, error) {
	inputs, err := p.inputs()
	if err != nil {
		return nil, err
	}
	for n := 1; ; n++ {
		plan, err := p.plan(ctx, o.flags)
		if err != nil {
			return nil, err
		}
		if err := showPlan(o.streams, p, plan.Plan); err != nil {
			return nil, err
		}
		err = p.operation.ApplySaved(ctx, saved, plan, inputs, time.Now(), operation.ApplyOptions{Progress: &progress{streams: o.streams}})
		if n < maxReplans && errors.Is(err, operation.ErrStale) {
			continue
		}
		return plan, p.refused(err)
	}
}
