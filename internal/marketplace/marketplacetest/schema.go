// SPDX-License-Identifier: MPL-2.0

package marketplacetest

import (
	"encoding/json"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"
)

// validProtocol reports whether a text satisfies the server's rules for new
// items. It accepts only the job protocol and does not follow references.
// Source: microsoft/openpaimarketplace: rest_server/src/utils/protocol.js.
func validProtocol(text string) bool {
	var job map[string]any
	if err := yaml.Unmarshal([]byte(text), &job); err != nil {
		return false
	}
	return onlyKeys(job, []string{"protocolVersion", "name", "type", "taskRoles"},
		[]string{"version", "contributor", "description", "parameters", "secrets", "jobRetryCount", "deployments", "defaults", "extras", "prerequisites"}) &&
		(job["protocolVersion"] == 2 || job["protocolVersion"] == "2") && job["type"] == "job" &&
		matches(job["name"], `^[a-zA-Z0-9_-]{1,255}$`) &&
		everyOf(job["prerequisites"], validPrerequisite) && validRoles(job["taskRoles"])
}

func validPrerequisite(p map[string]any) bool {
	switch p["type"] {
	case "dockerimage":
		return onlyKeys(p, []string{"name", "type", "uri"}, []string{"auth"})
	case "data":
		_, list := p["uri"].([]any)
		return p["name"] != nil && (p["uri"] == nil || list) && textList(p["require"])
	case "script", "output":
		_, text := p["uri"].(string)
		return p["name"] != nil && (p["uri"] == nil || text) && textList(p["require"])
	}
	return false
}

func validRoles(v any) bool {
	roles, _ := v.(map[string]any)
	for name, v := range roles {
		role, _ := v.(map[string]any)
		commands, _ := role["commands"].([]any)
		resources, _ := role["resourcePerInstance"].(map[string]any)
		if !matches(name, `^[a-zA-Z_][a-zA-Z0-9_]*$`) || len(commands) == 0 || !textList(role["prerequisites"]) ||
			!onlyKeys(role, []string{"dockerImage", "resourcePerInstance", "commands"},
				[]string{"instances", "completion", "taskRetryCount", "prerequisites", "data", "output", "script", "extraContainerOptions"}) ||
			!onlyKeys(resources, []string{"cpu", "memoryMB", "gpu"}, []string{"ports"}) {
			return false
		}
	}
	return len(roles) > 0
}

// onlyKeys reports whether m has all needed keys and otherwise only allowed
// keys.
func onlyKeys(m map[string]any, needed, allowed []string) bool {
	for _, k := range needed {
		if m[k] == nil {
			return false
		}
	}
	for k := range m {
		if !slices.Contains(needed, k) && !slices.Contains(allowed, k) {
			return false
		}
	}
	return true
}

func everyOf(v any, valid func(map[string]any) bool) bool {
	if v == nil {
		return true
	}
	list, _ := v.([]any)
	for _, e := range list {
		m, _ := e.(map[string]any)
		if !valid(m) {
			return false
		}
	}
	return len(list) > 0
}

func textList(v any) bool {
	if v == nil {
		return true
	}
	content, err := json.Marshal(v)
	var tables []string
	return err == nil && json.Unmarshal(content, &tables) == nil
}

func matches(v any, pattern string) bool {
	text, _ := v.(string)
	return regexp.MustCompile(pattern).MatchString(text)
}
