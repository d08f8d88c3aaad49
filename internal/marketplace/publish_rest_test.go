// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace/marketplacetest"
)

// publishAs publishes as the given user. The username is also the token.
func publishAs(t *testing.T, s *marketplacetest.Server, user string, p *Publication) (*Published, error) {
	t.Helper()
	options := token(user)
	options.Limits = quick()
	set := newSet(options, market("server", s.URL))
	p.Author = user
	return set.Publish(context.Background(), set.Declared("server"), p)
}

// TestPublishFindsUnlistedVersions checks that Publish finds a published
// version even if no list contains it. Publish must not change this version.
func TestPublishFindsUnlistedVersions(t *testing.T) {
	t.Parallel()
	s := newRESTServer(t)
	text := oneItem + "version: '1.0'\n"
	protected := func(text string) *Publication {
		p := publication(t, "x.yaml", text)
		p.Visibility, p.Groups = "protected", []string{"g1"}
		return p
	}
	done, err := publishAs(t, s, "alice", protected(text))
	if err != nil || len(done.Places) != 1 || !done.Hidden {
		t.Fatalf("%+v, %v", done, err)
	}
	if done, err = publishAs(t, s, "alice", protected(text)); err != nil || len(done.Places) != 0 || s.Posts() != 1 {
		t.Errorf("publish the same content again: %+v, %v, %d posts", done, err, s.Posts())
	}
	if _, err = publishAs(t, s, "alice", protected(strings.Replace(text, "echo x", "echo y", 1))); !Is(err, PublishedVersionDiffers) {
		t.Errorf("publish other content of the version: %v", err)
	}
	if _, err = publishAs(t, s, "alice", publication(t, "x.yaml", strings.Replace(text, "echo x", "echo y", 1))); !Is(err, PublishedVersionDiffers) {
		t.Errorf("publish other content with public visibility: %v", err)
	}
	if done, err = publishAs(t, s, "bob", publication(t, "x.yaml", text)); err != nil || len(done.Places) != 1 {
		t.Errorf("publish as another author, who cannot read the item: %+v, %v", done, err)
	}

	open := protected(text)
	open.Visibility = "public"
	if _, err = publishAs(t, s, "alice", open); !Is(err, hclspec.CannotPublish) {
		t.Errorf("publish a public item with groups: %v", err)
	}
	reference := "marketplace://prerequisites/itemId/" + itemID("alice", publication(t, "x.yaml", text).Items[0])
	for user, want := range map[string]*hclspec.Entry{"alice": nil, "carol": nil, "bob": hclspec.MarketplaceNotPermitted} {
		f, err := newSet(token(user), market("server", s.URL)).Find(context.Background(), reference, Prerequisite)
		if want == nil && (err != nil || f.Visibility != "protected") || want != nil && !Is(err, want) {
			t.Errorf("%s reads %v, %v", user, f, err)
		}
	}
	set := newSet(token("alice"), market("server", s.URL))
	p := protected(text)
	p.Author = "alice"
	if missing, err := set.Missing(context.Background(), set.Declared("server"), p); err != nil || len(missing) != 0 {
		t.Errorf("missing are %v, %v", missing, err)
	}
}

const threeItems = `# ours
- name: base
  version: '1'
  callbacks: [{event: taskStarts, commands: [echo base]}]
- name: middle
  version: '1'
  require: [base]
  callbacks: [{event: taskStarts, commands: [echo middle]}]
- name: apart
  version: '1'
  callbacks: [{event: taskStarts, commands: [echo apart]}]
`

// TestAFailedPublicationIsCompletedByTheNext checks that the error lists the written
// items. A second call to Publish must add only the missing items.
func TestAFailedPublicationIsCompletedByTheNext(t *testing.T) {
	t.Parallel()
	s := newRESTServer(t)
	s.Before = func(request int) bool { return request == 2 }
	done, err := publishAs(t, s, "alice", publication(t, "three.yaml", threeItems))
	if err == nil || done == nil || len(done.Places) != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if text := err.Error(); !strings.Contains(text, "the server did not store the item") || !strings.Contains(text, "items published before this error: "+done.Places[0]) {
		t.Errorf("the error is %s", text)
	}
	if done, err = publishAs(t, s, "alice", publication(t, "three.yaml", threeItems)); err != nil || len(done.Places) != 2 || s.Posts() != 3 {
		t.Errorf("publish the file again: %+v, %v, %d posts", done, err, s.Posts())
	}
}

// TestAnItemStoredDespiteAnErrorIsNotStoredTwice checks each visibility. The
// server stores the item but returns 503.
func TestAnItemStoredDespiteAnErrorIsNotStoredTwice(t *testing.T) {
	t.Parallel()
	for _, visibility := range []string{"public", "protected", "private"} {
		s := newRESTServer(t)
		s.After = func(int) bool { return true }
		p := publication(t, "three.yaml", threeItems)
		p.Visibility = visibility
		done, err := publishAs(t, s, "alice", p)
		if err != nil || len(done.Places) != 3 || s.Posts() != 3 || s.Requests() != 3 {
			t.Errorf("%s: %+v, %v, %d requests stored %d items", visibility, done, err, s.Requests(), s.Posts())
		}
	}
}

// TestAnItemCarriesWhatItNeeds checks each syntax. The server receives the
// item and only the siblings that the item requires.
func TestAnItemCarriesWhatItNeeds(t *testing.T) {
	t.Parallel()
	inHCL := `prerequisite "script" "base" {
  version = "1"
  callback "taskStarts" { commands = ["echo base"] }
}
prerequisite "script" "middle" {
  version = "1"
  require = [prerequisite.script.base]
  callback "taskStarts" { commands = ["echo middle"] }
}
prerequisite "script" "apart" {
  version = "1"
  callback "taskStarts" { commands = ["echo apart"] }
}
`
	for file, text := range map[string]string{"three.yaml": threeItems, "three.pai.hcl": inHCL} {
		s := newRESTServer(t)
		p := publication(t, file, text)
		if _, err := publishAs(t, s, "alice", p); err != nil {
			t.Fatal(err)
		}
		got, want := map[string]string{}, map[string]string{"base": "base", "middle": "middle base", "apart": "apart"}
		for _, row := range s.Items() {
			var has []string
			for _, name := range []string{"apart", "middle", "base"} {
				if strings.Contains(row["protocol"].(string), "echo "+name) {
					has = append(has, name)
				}
			}
			got[row["name"].(string)] = strings.Join(has, " ")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		published := map[string]string{}
		for _, i := range p.Items {
			published[i.Type+"/"+i.Definition()] = i.Hash()
		}
		if diff := cmp.Diff(published, hashes(list(t, s.URL, token("alice")))); diff != "" {
			t.Errorf("%s (-published +listed):\n%s", file, diff)
		}
		set := newSet(token("alice"), market("server", s.URL))
		c := set.Closure(context.Background(), []string{"marketplace://script/middle"}, Prerequisite, func(string) (*Known, error) { return nil, nil })
		if len(c.Failures) > 0 || c.Item("marketplace://script/base?from=server") == nil {
			t.Errorf("%s: middle requires %v, failures %v", file, c.References, c.Failures)
		}
	}
}
