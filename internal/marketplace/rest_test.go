// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// TestTheVisibilityOfAnItemLimitsItsReaders checks which items each user can read.
// Lists omit items shared with a group. Users of the group can read such items by id.
func TestTheVisibilityOfAnItemLimitsItsReaders(t *testing.T) {
	t.Parallel()
	s := newRESTServer(t)
	for _, i := range []map[string]any{
		{"id": "open", "isPublic": true}, {"id": "own", "isPrivate": true},
		{"id": "shared", "isPublic": false, "isPrivate": false, "groupList": []any{"g1"}},
	} {
		i["name"], i["author"], i["type"], i["protocol"] = i["id"], "alice", "template", jobText(i["id"].(string))
		s.Add(i)
	}
	for user, c := range map[string]struct{ listed, byID []string }{
		"alice": {[]string{"open", "own"}, []string{"open", "own", "shared"}},
		"bob":   {[]string{"open"}, []string{"open"}},
		"carol": {[]string{"open"}, []string{"open", "shared"}},
		"root":  {[]string{"open", "own", "shared"}, []string{"open", "own", "shared"}},
	} {
		var listed, byID []string
		for _, i := range list(t, s.URL, token(user)).Items {
			listed = append(listed, i.ID)
		}
		set := newSet(token(user), market("server", s.URL))
		for _, id := range []string{"open", "own", "shared"} {
			_, err := set.Find(context.Background(), "marketplace://prerequisites/itemId/"+id, Job)
			switch {
			case err == nil:
				byID = append(byID, id)
			case !Is(err, hclspec.MarketplaceNotPermitted):
				t.Errorf("%s, item %s: %v", user, id, err)
			}
		}
		if !slices.Equal(listed, c.listed) || !slices.Equal(byID, c.byID) {
			t.Errorf("%s lists %v and reads %v, want %v and %v", user, listed, byID, c.listed, c.byID)
		}
	}
	_, err := newSet(token("alice"), market("server", s.URL)).Find(context.Background(), "marketplace://prerequisites/itemId/nobody", Any)
	if !Is(err, hclspec.ItemNotFound) {
		t.Errorf("the result for a missing id is %v", err)
	}
	if err := listError(s.URL, Options{}); !Is(err, hclspec.MarketplaceNotPermitted) {
		t.Errorf("without a token the error is %v", err)
	}
}

// TestPublishStoresEachVersionOnceOnTheServer checks that items are posted as jobs,
// because a server accepts only jobs.
func TestPublishStoresEachVersionOnceOnTheServer(t *testing.T) {
	t.Parallel()
	s := newRESTServer(t)
	ctx := context.Background()
	publish := func(text, author string) (*Published, error) {
		items, diags := ParseFile("x.yaml", []byte(text))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		set := newSet(token("alice"), market("server", s.URL))
		return set.Publish(ctx, set.Declared("server"), &Publication{Name: "x.yaml", Text: []byte(text), Items: items, Author: author})
	}
	first := oneItem + "version: '1.0'\nvisibility: private\n"
	done, err := publish(first, "alice")
	if err != nil || len(done.Places) != 1 || s.Items()[0]["isPrivate"] != true {
		t.Fatalf("%v, %v, %v", done, err, s.Items())
	}
	if done, err = publish(first, "alice"); err != nil || len(done.Places) != 0 || s.Posts() != 1 {
		t.Errorf("publish the same content again: %v, %v, %d posts", done, err, s.Posts())
	}
	if _, err = publish(strings.Replace(first, "echo x", "echo y", 1), "alice"); !Is(err, PublishedVersionDiffers) {
		t.Errorf("publish other content of the version: %v", err)
	}
	if _, err = publish(strings.Replace(first, "1.0", "1.1", 1), "bob"); !Is(err, hclspec.MarketplaceNotPermitted) {
		t.Errorf("for another author: %v", err)
	}
	if done, err = publish(strings.Replace(first, "1.0", "1.1", 1), "alice"); err != nil || len(done.Places) != 1 {
		t.Errorf("publish a new version: %v, %v", done, err)
	}
	if _, err = publish(oneItem, "alice"); !Is(err, ItemVersionMissing) {
		t.Errorf("without a version: %v", err)
	}
	set := newSet(token("alice"), market("server", s.URL))
	if f, err := set.Find(ctx, "marketplace://script/x", Prerequisite); err != nil || f.Version != "1.1" {
		t.Errorf("the newest version is %v, error %v", f, err)
	}
	if f, err := set.Find(ctx, "marketplace://name/x?version=1.0", Prerequisite); err != nil || f.Address != "marketplace://script/x?from=server&version=1.0" {
		t.Errorf("the older version is %v, error %v", f, err)
	}
}

// TestPublishConvertsItemsForTheServer checks content that the server's schema
// does not support: storages, values for required items, files with several items,
// and HCL jobs.
func TestPublishConvertsItemsForTheServer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, text string }{
		"a long summary":                               {"x.yaml", oneItem + "version: '1'\nsummary: " + strings.Repeat("long ", 100) + "\n"},
		"items that require others":                    {"x.yaml", "- {name: a, type: storage, version: '1', template_variables: [{name: at}]}\n- {name: b, type: data, version: '1', require: [{name: a, template_variables: {at: /x}}]}\n"},
		"a job with values for the items that it uses": {"x.yaml", strings.Replace(jobText("train"), "    dockerImage: image", "    prerequisites: [{name: marketplace://name/x, template_variables: {at: /x}}]\n    dockerImage: image", 1) + "version: '1'\n"},
		"a job in YAML":                                {"x.yaml", jobText("train") + "version: '1'\n"},
		"a job in HCL": {"x.pai.hcl", `job "train" {
  version = "1"
  task_role "worker" {
    image         = "busybox"
    commands      = ["true"]
    prerequisites = [{ use = "marketplace://name/x", with = { at = "/x" } }]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newRESTServer(t)
			set := newSet(token("alice"), market("server", s.URL))
			p := publication(t, c.file, c.text)
			p.Author = "alice"
			done, err := set.Publish(context.Background(), set.Declared("server"), p)
			if err != nil || len(done.Places) != len(p.Items) {
				t.Fatalf("%v, %v", done, err)
			}
			want := map[string]string{}
			for _, i := range p.Items {
				want[i.Type+"/"+i.Definition()] = i.Hash()
			}
			l := list(t, s.URL, token("alice"))
			if diff := cmp.Diff(want, hashes(l)); diff != "" {
				t.Errorf("(-published +listed)\n%s%s", diff, problems(l))
			}
		})
	}
}

// TestAnItemTooLargeForTheServerIsRejected checks that the error contains the status
// code 413.
func TestAnItemTooLargeForTheServerIsRejected(t *testing.T) {
	t.Parallel()
	s := newRESTServer(t)
	set := newSet(token("alice"), market("server", s.URL))
	p := publication(t, "x.yaml", oneItem+"version: '1'\ndescription: "+strings.Repeat("long ", 30<<10)+"\n")
	p.Author = "alice"
	if _, err := set.Publish(context.Background(), set.Declared("server"), p); !Is(err, hclspec.CannotPublish) || !strings.Contains(err.Error(), "413") {
		t.Errorf("the error is %v", err)
	}
}

func TestTheUserIsReadFromTheToken(t *testing.T) {
	t.Parallel()
	payload := base64.RawURLEncoding.EncodeToString([]byte(`{"username":"ada"}`))
	for token, want := range map[string]string{"": "", "opaque": "", "a." + payload + ".c": "ada", "a.!.c": "", "Bearer a." + payload + ".c": "ada"} {
		if got := newClient("http://x", token, Options{}).user(); got != want {
			t.Errorf("the user of %q is %q, want %q", token, got, want)
		}
	}
}
