// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// owned returns functions for a storage that the cluster creates. The
// function configure returns the declaration of the storage, and exists
// reports whether the storage exists.
func (at *environment) owned(t *testing.T, p *project, name string) (configure func(more string) string, exists func() bool) {
	t.Helper()
	if name == "local" {
		data := filepath.Join(p.dir, "data")
		configure = func(more string) string {
			return fmt.Sprintf("resource \"openpai_storage\" \"data\" {\n  name      = \"data\"\n  host_path = %q\n  %s\n}\n", data, more)
		}
		return configure, func() bool { _, err := os.Stat(data); return err == nil }
	}
	claims := apiServer(t).Dynamic().Resource(claimKind).Namespace(namespaceOf(at))
	configure = func(more string) string { return nfs("10Gi", more) }
	return configure, func() bool { return is(t, claims, "team-data") }
}

func TestTheStorageOfAnotherStateIsNotTaken(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p, other := newProject(t, program), newProject(t, program)
				at := open(t, p.dir)
				storage, exists := at.owned(t, p, name)
				p.configure(at.provider, storage(`on_destroy = "delete"`))
				p.apply()
				other.configure(at.beside(p), storage(`on_destroy = "delete"`))
				other.refused("belongs to another resource", "plan", "-input=false")
				other.refused("belongs to another resource", "apply", "-auto-approve", "-input=false")
				other.must("destroy", "-auto-approve", "-input=false")
				if !exists() {
					t.Fatal("destroying one state deleted the storage of another")
				}
				p.mustBeEmpty()

				p.configure(at.provider, storage(`on_destroy = "keep"`))
				p.apply()
				p.apply("-replace=openpai_storage.data")
				p.mustBeEmpty()
				p.must("destroy", "-auto-approve", "-input=false")
				if !exists() {
					t.Fatal("destroy deleted a storage that it must keep")
				}
				other.apply() // the storage no longer has an owner
				other.mustBeEmpty()
				if name == "kubernetes" { // an existing directory has no owner in this case
					p.refused("belongs to another resource", "apply", "-auto-approve", "-input=false")
				}
				other.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}

func TestTwoResourcesOfOneConfigurationAreNotOneStorage(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				storage, exists := at.owned(t, p, name)
				p.configure(at.provider, storage("count = 2"))
				p.refused("belongs to another resource", "plan", "-input=false")
				p.configure(at.provider, storage(""))
				p.apply()
				p.must("taint", "openpai_storage.data")
				p.expectChange("openpai_storage.data", "delete create")
				p.apply()
				p.apply("-replace=openpai_storage.data")
				p.mustBeEmpty()
				if !exists() {
					t.Error("no storage")
				}
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}

// TestASecondAddressOfAStorageIsRefused declares a second resource for a
// storage that is already in the state. Plan and apply must fail.
func TestASecondAddressOfAStorageIsRefused(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				storage, exists := at.owned(t, p, name)
				first := storage(`on_destroy = "delete"`)
				second := strings.Replace(first, `"openpai_storage" "data"`, `"openpai_storage" "again"`, 1)
				p.configure(at.provider, first, "output \"definition\" { value = openpai_storage.data.definition }\n")
				p.apply()
				id := p.must("output", "-raw", "definition")

				const want = "Another openpai_storage in this configuration or state has the address storage.data."
				p.configure(at.provider, first, second)
				p.refused(want, "plan", "-input=false")
				p.refused(want, "apply", "-auto-approve", "-input=false", "-refresh=false")
				p.configure(at.provider, first, second, fmt.Sprintf("import {\n  to = openpai_storage.again\n  id = %q\n}\n", id))
				p.refused(want, "plan", "-input=false")

				p.configure(at.provider, first, second)
				if out := p.must("import", "openpai_storage.again", id); name == "kubernetes" && !strings.Contains(out, "The storage may have another owner") {
					t.Errorf("no warning of the import\n%s", out)
				}
				p.refused(want, "plan", "-input=false")
				p.configure(at.provider, first)
				p.refused("remove one resource from the state", "apply", "-auto-approve", "-input=false")
				if !exists() {
					t.Fatal("removing the second address deleted the storage")
				}
				p.must("state", "rm", "openpai_storage.again")
				p.mustBeEmpty()
				p.configure(at.provider, first, second)
				p.refused("use destroy with -refresh=false", "destroy", "-auto-approve", "-input=false")
				p.must("destroy", "-auto-approve", "-input=false", "-refresh=false")
				if exists() {
					t.Error("the only owner did not delete the storage")
				}
			})
		}
	})
}

// TestAnImportedStorageIsKeptForItsOwner imports a storage at a second address.
// It then destroys only the resource at the second address.
func TestAnImportedStorageIsKeptForItsOwner(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		storage, exists := at.owned(t, p, "kubernetes")
		first := storage(`on_destroy = "delete"`)
		second := strings.Replace(first, `"openpai_storage" "data"`, `"openpai_storage" "again"`, 1)
		p.configure(at.provider, first, "output \"definition\" { value = openpai_storage.data.definition }\n")
		p.apply()
		id := p.must("output", "-raw", "definition")
		p.configure(at.provider, first, second)
		p.must("import", "openpai_storage.again", id)
		out := p.must("destroy", "-auto-approve", "-input=false", "-target=openpai_storage.again")
		if !exists() || !strings.Contains(out, "The storage was kept") {
			t.Errorf("destroying the second address: the storage exists: %t\n%s", exists(), out)
		}
		p.configure(at.provider, first)
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
		if exists() {
			t.Error("the owner did not delete the storage")
		}
	})
}

// TestTwoProviderBlocksDoNotShareObjects runs two provider processes concurrently.
func TestTwoProviderBlocksDoNotShareObjects(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				storage, exists := at.owned(t, p, name)
				blocks := ""
				for _, alias := range []string{"a", "b"} {
					blocks += strings.Replace(at.provider, `provider "openpai" {`, "provider \"openpai\" {\n  alias = \""+alias+"\"", 1) + "\n"
				}
				on := func(alias, name, block string) string {
					return strings.Replace(strings.Replace(block, "name ", "provider = openpai."+alias+"\n  name ", 1), `" "mnist" {`, `" "`+name+`" {`, 1)
				}
				greet := strings.Replace(prerequisite("greet", "echo hello"), "{", "{\n  provider = openpai.a", 1)
				first := on("a", "first", jobAlone("sleep 1000", 1, ""))
				second := on("b", "second", jobAlone("sleep 1000", 1, ""))
				data := on("a", "data", storage(`on_destroy = "delete"`))
				again := strings.Replace(on("b", "again", storage(`on_destroy = "delete"`)), `"data" {`, `"again" {`, 1)

				p.configure(blocks, greet, first, strings.Replace(second, `"mnist"`, `"other"`, 1), data)
				p.apply()
				p.mustBeEmpty()
				p.configure(blocks, greet, first, data, again)
				p.refused("belongs to another resource", "apply", "-auto-approve", "-input=false")
				p.configure(blocks, greet, first, second, data)
				p.refused("exists on the cluster, but is not in this state", "apply", "-auto-approve", "-input=false")
				if _, err := at.outside.Status(t.Context(), mnist); err != nil || !exists() {
					t.Errorf("the objects of the first provider block: %v, storage %v", err, exists())
				}
				p.configure(blocks, greet, first, data)
				p.apply() // ends job.other, which still runs because the refused plans did not change anything
				p.mustBeEmpty()
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}
