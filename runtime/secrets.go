// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// secrets maps secret names to values. It contains the secrets that a task
// refers to.
type secrets map[string]string

// readSecrets reads one file per name. The error lists all missing secrets.
func readSecrets(dir string, names []string) (secrets, error) {
	values := secrets{}
	var missing []string
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, name)
		case err != nil:
			return nil, readError(name, err, os.Getuid())
		default:
			values[name] = string(text)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		return values, fmt.Errorf("the secret %s has no value", strings.Join(missing, ", "))
	}
	return values, nil
}

// readError explains the fix if access is denied. The usual cause: the secret
// files belong to the Pod's user, but the image sets a different user.
func readError(name string, err error, user int) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("read the secret %s: %w: the image runs the task as user %d, who cannot read the file; set run_as_user = %d, or set runAsUser and fsGroup in a manually written Pod", name, err, user, user)
	}
	return fmt.Errorf("read the secret %s: %w", name, err)
}

// values returns all values that must never be printed.
func (s secrets) values() []string { return slices.Collect(maps.Values(s)) }

// lookup resolves $secrets.name. A name may contain dots.
func (s secrets) lookup(ref template.Ref) (any, bool) {
	name, isSecret := ref.Secret()
	if !isSecret {
		return nil, false
	}
	value, ok := s[name]
	return value, ok
}

// render replaces references to secrets, and FC_* variables in the form
// {{FC_NAME}}. Other tags do not change; the plan has already warned about
// them.
func (s secrets) render(text string, variable func(name string) (string, bool)) (string, error) {
	var err error
	filled, open := template.Render(frameworkVariables(text, variable), s.lookup)
	for _, tag := range open {
		if tag.Ref.Root == "secrets" {
			err = fmt.Errorf("<%% %s %%> has no value", tag.Ref.Text)
		}
	}
	return filled, err
}

// frameworkVariables replaces each {{FC_NAME}} with the value of the
// variable. It keeps {{FC_NAME}} if the variable is not set.
func frameworkVariables(text string, variable func(name string) (string, bool)) string {
	const opening, prefix = "{{", "FC_"
	if !strings.Contains(text, opening) {
		return text
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, opening)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inner, after, closed := strings.Cut(rest, "}}")
		name := strings.TrimSpace(inner)
		value, known := "", false
		if closed && strings.HasPrefix(name, prefix) {
			value, known = variable(name)
		}
		if !known {
			b.WriteString(opening)
			text = rest
			continue
		}
		b.WriteString(template.Escape(value))
		text = after
	}
}
