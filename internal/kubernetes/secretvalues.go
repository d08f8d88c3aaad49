// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/template"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// fill sets the values of a stub Secret from the submission.
func fill(stub *framework.Secret, s cluster.Submission) error {
	if stub.Metadata.Name != contract.RegistrySecret(s.Job.Framework) {
		for name := range stub.StringData {
			value, ok := s.Secrets[name]
			if !ok {
				return fmt.Errorf("the value of the secret %q is missing", name)
			}
			stub.StringData[name] = value
		}
		return nil
	}
	text, err := registryLogins(s)
	stub.StringData[render.RegistryKey] = text
	return err
}

// registryLogins returns the Docker configuration with the logins of all
// images. If the images have several logins for a registry, it uses the last
// login, like OpenPAI.
func registryLogins(s cluster.Submission) (string, error) {
	type login struct {
		Auth string `json:"auth"`
	}
	auths := map[string]login{}
	for _, role := range s.Job.TaskRoles {
		if role.Image.Username == "" && role.Image.Password == "" {
			continue
		}
		user, err := filled(role.Image.Username, s.Secrets)
		if err != nil {
			return "", err
		}
		password, err := filled(role.Image.Password, s.Secrets)
		if err != nil {
			return "", err
		}
		auths[render.Registry(role)] = login{base64.StdEncoding.EncodeToString([]byte(user + ":" + password))}
	}
	text, err := json.Marshal(map[string]any{"auths": auths})
	if err != nil {
		panic("kubernetes: " + err.Error()) // strings always marshal
	}
	return string(text), nil
}

// filled replaces references to secrets in a username or password.
func filled(text string, values map[string]string) (string, error) {
	var missing []string
	out, unresolved := template.Render(text, func(ref template.Ref) (any, bool) {
		name, isSecret := ref.Secret()
		if !isSecret {
			return nil, false
		}
		value, ok := values[name]
		if !ok {
			missing = append(missing, name)
		}
		return value, ok
	})
	if len(unresolved) > 0 {
		return "", fmt.Errorf("image login: the value of %s is missing", strings.Join(missing, ", "))
	}
	return out, nil
}
