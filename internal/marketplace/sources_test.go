// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/marketplace/marketplacetest"
)

// library contains everything that can differ between syntaxes: names in the same
// file, unquoted template variables, storages and downloads.
const library = `
-- items.yaml --
- name: tools
  version: "1.0"
  plugin: cmd
  plugin_params:
    callbacks:
      - event: taskStarts
        commands: [command -v curl]
- name: digits
  type: data
  version: "1.0"
  title: Handwritten digits
  tags: [vision, small]
  require: [tools]
  requireStorages:
    - name: shared
      mountPath: {{ root }}
  fetch:
    - url: http://127.0.0.1:1/digits.tar.gz
      to: "{{ root }}/digits"
      extract: true
  callbacks:
    - event: taskStarts
      commands:
        - ls {{ root }}
  template_variables:
    - name: root
      default: /data
      description: where the digits are put
`

// TestItemsHaveTheSameHashInEverySource checks that the content hash does not depend
// on the source.
func TestItemsHaveTheSameHashInEverySource(t *testing.T) {
	t.Parallel()
	dir := unpack(t, library)
	text, err := os.ReadFile(filepath.Join(dir, "items.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewTLSServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	rest := newRESTServer(t)
	publishLibrary(t, rest, dir)

	want := hashes(list(t, dir, Options{}))
	if len(want) != 2 {
		t.Fatalf("the directory has %v", want)
	}
	id := commit(t, dir)
	for name, l := range map[string]*Listing{
		"git, local path": list(t, "git::"+dir+"?ref="+id, Options{}),
		"git, file URL":   list(t, "git::file://"+dir, Options{}),
		"https":           list(t, server.URL+"/items.yaml", Options{Transport: server.Client().Transport}),
		"rest":            list(t, rest.URL, token("alice")),
	} {
		if diff := cmp.Diff(want, hashes(l)); diff != "" {
			t.Errorf("%s (-want +got)\n%s%s", name, diff, problems(l))
		}
	}
	if items, diags := ParseFile("canonical.yaml", list(t, dir, Options{}).Items[1].Content); diags.HasErrors() || items[0].Hash() != want["data/digits"] {
		t.Errorf("parsing the canonical text changes it: %v\n%s", diags, text)
	}
}

func publishLibrary(t *testing.T, s *marketplacetest.Server, dir string) {
	t.Helper()
	name := filepath.Join(dir, "items.yaml")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	items, diags := ParseFile("items.yaml", text)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	set := newSet(token("alice"), market("server", s.URL))
	done, err := set.Publish(context.Background(), set.Declared("server"), &Publication{Name: name, Text: text, Items: items, Author: "alice"})
	if err != nil || len(done.Places) != 2 {
		t.Fatalf("publish: %v, %v", done, err)
	}
}

// TestHCLAndYAMLGiveTheSameItem checks that an item has the same content in both
// languages.
func TestHCLAndYAMLGiveTheSameItem(t *testing.T) {
	t.Parallel()
	dir := unpack(t, library+`
-- hcl/items.pai.hcl --
prerequisite "script" "tools" {
  version = "1.0"
  plugin  = "cmd"
  callback "taskStarts" {
    commands = ["command -v curl"]
  }
}
prerequisite "data" "digits" {
  version = "1.0"
  title   = "Handwritten digits"
  tags    = ["vision", "small"]
  require = [prerequisite.script.tools]
  require_storages = [{ use = "shared", mount_path = "{{ root }}" }]
  fetch {
    url     = "http://127.0.0.1:1/digits.tar.gz"
    to      = "{{ root }}/digits"
    extract = true
  }
  callback "taskStarts" {
    commands = ["ls {{ root }}"]
  }
  template_variable "root" {
    default     = "/data"
    description = "where the digits are put"
  }
}
`)
	yaml, hcl := list(t, filepath.Join(dir), Options{}), list(t, filepath.Join(dir, "hcl"), Options{})
	if len(hcl.Items) != 2 || len(hcl.Problems) > 0 {
		t.Fatalf("HCL gives %d items\n%s", len(hcl.Items), problems(hcl))
	}
	for _, h := range hcl.Items {
		for _, y := range yaml.Items {
			if y.File == "items.yaml" && y.Definition() == h.Definition() {
				if diff := cmp.Diff(string(y.Content), string(h.Content)); diff != "" {
					t.Errorf("%s (-yaml +hcl)\n%s", h.Definition(), diff)
				}
			}
		}
	}
}

// TestJobItemsOfTheServerAreListedAndFound checks that items like the original
// server's initial items can be listed and found: whole jobs with titles as
// names.
func TestJobItemsOfTheServerAreListedAndFound(t *testing.T) {
	t.Parallel()
	s := newRESTServer(t)
	s.Add(map[string]any{"id": "1", "name": "Couplet Dataset", "author": "OpenPAI", "type": "data", "isPublic": true, "summary": "couplets",
		"ItemTags": []map[string]string{{"name": "AI couplet"}}, "protocol": jobText("couplet_dataset")})
	s.Add(map[string]any{"id": "2", "name": "Broken", "author": "OpenPAI", "type": "old", "isPublic": true, "protocol": `{"jobConfig": 1}`})
	l := list(t, s.URL, token("bob"))
	if len(l.Items) != 1 || len(l.Problems) != 1 {
		t.Fatalf("%d items, problems:\n%s", len(l.Items), problems(l))
	}
	i := l.Items[0]
	got, _ := json.Marshal([]any{i.Name, i.Type, i.ID, i.Author, i.Summary, i.Tags, i.Visibility})
	if want := `["Couplet Dataset","job","1","OpenPAI","couplets",["AI couplet"],"public"]`; string(got) != want {
		t.Errorf("the item is %s, want %s", got, want)
	}
	set := newSet(token("bob"), market("server", s.URL))
	for _, ref := range []string{"marketplace://job/Couplet%20Dataset", "marketplace://name/couplet_dataset", "marketplace://prerequisites/itemId/1"} {
		if f, err := set.Find(context.Background(), ref, Job); err != nil || f.ID != "1" {
			t.Errorf("%s gives %v, %v", ref, f, err)
		}
	}
}

func jobText(name string) string {
	return `protocolVersion: 2
name: ` + name + `
type: job
prerequisites:
  - {type: dockerimage, name: image, uri: busybox}
taskRoles:
  worker:
    dockerImage: image
    resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 64}
    commands: ["true"]
`
}
