// SPDX-License-Identifier: MPL-2.0

package history_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestVersionsOfSecretsWithDifferentKeysAreNotComparable(t *testing.T) {
	t.Parallel()
	type version = history.SecretVersion
	for name, c := range map[string]struct {
		before, after version
		want          planner.SecretState
	}{
		"one value":                       {version{"hmac:00", "k1"}, version{"hmac:00", "k1"}, planner.SecretUnchanged},
		"another value":                   {version{"hmac:00", "k1"}, version{"hmac:11", "k1"}, planner.SecretChanged},
		"another key":                     {version{"hmac:00", "k1"}, version{"hmac:11", "k2"}, planner.SecretNotChecked},
		"unknown keys":                    {version{"hmac:00", ""}, version{"hmac:11", ""}, planner.SecretNotChecked},
		"one declared version":            {version{"v:1", "k1"}, version{"v:1", "k2"}, planner.SecretUnchanged},
		"another declared version":        {version{"v:1", "k1"}, version{"v:2", "k2"}, planner.SecretChanged},
		"a version that was not declared": {version{"hmac:00", "k1"}, version{"v:1", "k2"}, planner.SecretChanged},
		"no version":                      {version{"hmac:00", "k1"}, version{"", "k1"}, planner.SecretNotChecked},
	} {
		if got := c.before.Compare(c.after); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
		if got := c.after.Compare(c.before); got != c.want {
			t.Errorf("%s, the other way: got %s, want %s", name, got, c.want)
		}
	}
}

func TestSecretsCommonToTwoRunsAreListed(t *testing.T) {
	t.Parallel()
	a := &history.Run{Secrets: map[string]string{"b": "v:1", "a": "hmac:00", "c": "v:2"}, SecretsKey: "k1"}
	b := &history.Run{Secrets: map[string]string{"a": "hmac:11", "b": "v:1"}}
	if diff := cmp.Diff([]string{"a", "b"}, a.SecretNames(b)); diff != "" {
		t.Errorf("secrets of both runs (-want +got)\n%s", diff)
	}
	if got, want := a.SecretVersion("a"), (history.SecretVersion{Version: "hmac:00", Key: "k1"}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
