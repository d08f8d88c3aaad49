package marketplace

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// TestVisibilityOnTheServer follows the matrix of who reads what. Items that
// are shared with a group are missing from lists and can be had by their id.
func TestVisibilityOnTheServer(t *testing.T) {
	t.Parallel()
	s := newRESTServer(t)
	for _, i := range []map[string]any{
		{"id": "open", "isPublic": true}, {"id": "own", "isPrivate": true},
		{"id": "shared", "isPublic": false, "isPrivate": false, "groupList": []any{"g1"}},
	} {
		i["name"], i["author"], i["type"], i["protocol"] = i["id"], "alice", "template", jobText(i["id"].(string))
		s.add(i)
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
		t.Errorf("a missing id gives %v", err)
	}
	if err := listError(s.URL, Options{}); !Is(err, hclspec.MarketplaceNotPermitted) {
		t.Errorf("without a token the error is %v", err)
	}
}

// TestPublishOnTheServer posts items as jobs, which a server accepts.
func TestPublishOnTheServer(t *testing.T) {
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
	if err != nil || len(done.Places) != 1 || s.items[0]["isPrivate"] != true {
		t.Fatalf("%v, %v, %v", done, err, s.items)
	}
	if done, err = publish(first, "alice"); err != nil || len(done.Places) != 0 || s.posts != 1 {
		t.Errorf("the same again: %v, %v, %d posts", done, err, s.posts)
	}
	if _, err = publish(strings.Replace(first, "echo x", "echo y", 1), "alice"); !Is(err, hclspec.PublishedVersionDiffers) {
		t.Errorf("another content of the version: %v", err)
	}
	if _, err = publish(strings.Replace(first, "1.0", "1.1", 1), "bob"); !Is(err, hclspec.MarketplaceNotPermitted) {
		t.Errorf("for another author: %v", err)
	}
	if done, err = publish(strings.Replace(first, "1.0", "1.1", 1), "alice"); err != nil || len(done.Places) != 1 {
		t.Errorf("a new version: %v, %v", done, err)
	}
	if _, err = publish(oneItem, "alice"); !Is(err, hclspec.ItemVersionMissing) {
		t.Errorf("without a version: %v", err)
	}
	set := newSet(token("alice"), market("server", s.URL))
	if f, err := set.Find(ctx, "marketplace://script/x", Prerequisite); err != nil || f.Version != "1.1" {
		t.Errorf("the newest is %v, %v", f, err)
	}
	if f, err := set.Find(ctx, "marketplace://name/x?version=1.0", Prerequisite); err != nil || f.Address != "marketplace://script/x?from=server&version=1.0" {
		t.Errorf("the older is %v, %v", f, err)
	}
}

func TestUserOfAToken(t *testing.T) {
	t.Parallel()
	payload := base64.RawURLEncoding.EncodeToString([]byte(`{"username":"ada"}`))
	for token, want := range map[string]string{"": "", "opaque": "", "a." + payload + ".c": "ada", "a.!.c": "", "Bearer a." + payload + ".c": "ada"} {
		if got := newClient("http://x", token, Options{}).user(); got != want {
			t.Errorf("the user of %q is %q, want %q", token, got, want)
		}
	}
}
