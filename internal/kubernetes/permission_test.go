// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"encoding/json"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

func TestOnlyMatchingRulesAllowAWrite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rules string
		write write
		want  bool
	}{
		"no rule":                {`[]`, write{api.Roles, "create", ""}, false},
		"the verb":               {`[{"verbs": ["create"], "apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles"]}]`, write{api.Roles, "create", ""}, true},
		"another verb":           {`[{"verbs": ["get"], "apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles"]}]`, write{api.Roles, "create", ""}, false},
		"another group":          {`[{"verbs": ["create"], "apiGroups": [""], "resources": ["roles"]}]`, write{api.Roles, "create", ""}, false},
		"the core group":         {`[{"verbs": ["create"], "apiGroups": [""], "resources": ["secrets"]}]`, write{api.Secrets, "create", ""}, true},
		"an administrator":       {`[{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}]`, write{api.Leases, "create", ""}, true},
		"an object by name":      {`[{"verbs": ["patch"], "apiGroups": [""], "resources": ["secrets"], "resourceNames": ["a"]}]`, write{api.Secrets, "patch", "a"}, true},
		"another object by name": {`[{"verbs": ["patch"], "apiGroups": [""], "resources": ["secrets"], "resourceNames": ["a"]}]`, write{api.Secrets, "patch", "b"}, false},
		"permission to create an object of one name": {`[{"verbs": ["create"], "apiGroups": [""], "resources": ["secrets"], "resourceNames": ["a"]}]`, write{api.Secrets, "create", ""}, false},
		"a subresource only":                         {`[{"verbs": ["create"], "apiGroups": [""], "resources": ["secrets/x"]}]`, write{api.Secrets, "create", ""}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var rules accessRules
			if err := json.Unmarshal([]byte(c.rules), &rules); err != nil {
				t.Fatal(err)
			}
			if got := rules.allow(c.write); got != c.want {
				t.Errorf("allowed: %v", got)
			}
		})
	}
}
