// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// originalErrors maps an error code to the OpenPAI component that reports the
// same error.
var originalErrors = map[string]string{
	"duplicate-declaration":         "rest-server: duplicate prerequisites and deployments",
	"foreign-job":                   "rest-server: 403",
	"hived-affinity":                "rest-server: HiveD middleware",
	"hived-cell-and-sku":            "rest-server: HiveD middleware",
	"hived-quota":                   "rest-server: HiveD middleware",
	"hived-resource":                "rest-server: HiveD middleware",
	"hived-unknown-role":            "rest-server: HiveD middleware",
	"hived-unknown-sku":             "rest-server: HiveD middleware",
	"hived-unknown-virtual-cluster": "rest-server: 403",
	"invalid-task-role-name":        "rest-server: schema",
	"invalid-spelling":              "rest-server: schema, for names",
	"job-exists":                    "rest-server: 409",
	"missing-uri":                   "rest-server: schema",
	"name-too-long":                 "rest-server: schema",
	"several-uris":                  "rest-server: schema",
	"storage-not-permitted":         "rest-server: 404",
	"unknown-deployment":            "rest-server: default deployment",
	"unknown-prerequisite":          "rest-server: prerequisites of task roles",
	"wrong-prerequisite-type":       "rest-server: prerequisites of task roles",
	"yaml-duplicate-key":            "js-yaml",
	"yaml-empty":                    "rest-server: schema",
	"yaml-invalid":                  "js-yaml",
	"yaml-masked-secrets":           "rest-server: schema",
	"yaml-missing-key":              "rest-server: schema",
	"yaml-multiple-documents":       "js-yaml",
	"yaml-not-a-job":                "rest-server: schema",
	"yaml-protocol-version":         "rest-server: schema",
	"yaml-unknown-key":              "rest-server: schema",
	"yaml-unsupported":              "js-yaml",
}

// beyondProtocol lists, by topic, errors that an OpenPAI job file cannot cause.
var beyondProtocol = map[string][]string{
	"HCL and JSON syntax": {
		"deployment-for-unknown-role", "expression-too-long", "invalid-plugin-parameter", "file-outside-workspace", "file-too-large", "heredoc-too-long", "invalid-address", "invalid-expression", "invalid-for-each",
		"invalid-syntax", "invalid-validation", "invalid-variable-value", "missing-argument", "missing-block", "missing-variable-value", "nesting-too-deep", "not-utf8", "reference-cycle",
		"references-too-deep", "secret-changed", "secret-not-from-variable", "sensitive-not-text", "shell-variable", "source-too-large", "too-many-rounds", "undeclared-variable",
		"unknown-argument", "unknown-block", "uppercase-image", "unknown-reference", "unknown-secret", "unresolved-reference", "unknown-task-role", "variable-not-valid", "wrong-labels", "wrong-type",
		"moved-still-declared", "unknown-job", "invalid-run", "unknown-run", "invalid-variable-argument",
	},
	"blocks of a workspace": {
		"cluster-without-user", "invalid-module-source", "invalid-required-version", "module-cycle", "module-forbidden-block", "module-limit", "module-lock-mismatch", "module-not-initialized", "module-unavailable", "marketplace-source", "scheduler-missing", "secret-source", "secret-unavailable", "storage-kind", "two-clusters",
		"unknown-cluster", "unknown-file-kind", "unknown-storage", "unnamed-workspace", "unreadable-file", "unsupported-version", "workspace-empty", "workspace-not-found",
	},
	"items of marketplaces": {
		"ambiguous-item", "cannot-publish", "invalid-definition", "invalid-item-reference", "invalid-lock-file", "invalid-marketplace-argument", "invalid-marketplace-source", "item-holds-secret",
		"item-needs-data-source", "item-not-a-job", "item-not-a-prerequisite", "item-not-found", "item-not-parseable", "item-too-large", "item-unavailable", "item-version-missing",
		"items-not-initialised", "lock-mismatch", "marketplace-in-cluster", "marketplace-not-permitted", "marketplace-unreachable", "published-version-differs", "two-definitions", "unsafe-item",
	},
	"settings of Pods and clusters that only HCL has": {
		"claim-not-found", "invalid-kubernetes-name", "invalid-label", "invalid-storage-argument", "invalid-toleration", "living-openpai", "local-fetch-on-cluster", "missing-runtime-image",
		"permission-missing", "quota-exceeded",
		"pod-not-restricted", "relative-host-path", "reserved-pod-key", "volume-fixed",
	},
	"the local cluster":                     {"local-mount-impossible", "local-storage-kind"},
	"plans and commands":                    {"destroy-prevented", "no-such-job", "not-a-job-file", "not-in-workspace", "nothing-to-import", "other-user", "unknown-plan-address"},
	"saved plans":                           {"saved-plan-applied", "saved-plan-expired", "saved-plan-forgotten", "saved-plan-secret", "saved-plan-stale", "saved-plan-superseded", "saved-plan-tampered", "saved-plan-version", "saved-plan-workspace"},
	"policies of the workspace":             {"invalid-policy-test", "policy-denied", "policy-directory", "policy-not-evaluated"},
	"Terraform":                             {"declared-elsewhere", "directory-not-found", "invalid-access", "mixed-access", "file-or-content", "invalid-json", "not-a-job-of-openpai", "same-job", "storage-exists", "unknown-task-role-in-order"},
	"the older format, which has no server": {"legacy-unsupported-uri"},
}

// deviatingWarnings lists the warnings about jobs that behave differently in
// OpenPAI.
var deviatingWarnings = []string{"yaml-prerequisite-enabled"}

// TestStricterErrorsAreListed checks that the guide lists each error that OpenPAI
// does not report.
func TestStricterErrorsAreListed(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/guides/import.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "## Errors that OpenPAI does not report\n")
	section, _, _ = strings.Cut(section, "\n## ")
	listed := map[string]bool{}
	for _, line := range regexp.MustCompile(`(?m)^\| ([^|]*) \|`).FindAllStringSubmatch(section, -1) {
		for _, code := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(line[1], -1) {
			listed[code[1]] = true
		}
	}
	excused := map[string]bool{}
	for code := range originalErrors {
		excused[code] = true
	}
	for _, codes := range beyondProtocol {
		for _, code := range codes {
			excused[code] = true
		}
	}
	known := map[string]bool{}
	for _, code := range deviatingWarnings {
		known[code] = true
		if !listed[code] {
			t.Errorf("%s has no line in docs/guides/import.md", code)
		}
	}
	for _, e := range hclspec.Catalog() {
		if e.Severity != hcl.DiagError {
			continue
		}
		known[e.Code] = true
		switch {
		case listed[e.Code] && excused[e.Code]:
			t.Errorf("%s is listed as stricter than OpenPAI and excused", e.Code)
		case !listed[e.Code] && !excused[e.Code]:
			t.Errorf("%s has no line in docs/guides/import.md. If OpenPAI also reports it, or no job file can cause it, add it to the lists of this test.", e.Code)
		}
	}
	for _, codes := range []map[string]bool{listed, excused} {
		for code := range codes {
			if !known[code] {
				t.Errorf("%s is not an error of the catalog", code)
			}
		}
	}
}
