// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// localName returns the name of a secret or storage in a resolved job. In the
// job's own module, the name is plain: moving a job with its declarations must
// not change the job. In the root module, the name is plain unless the job's
// module declares the same name. In any other module, the name begins with the
// module names.
func localName(job, declared hclspec.Address, name string, inModule bool) string {
	switch {
	case declared == job, declared == "" && !inModule:
		return name
	case declared == "":
		return "root." + name
	}
	return strings.Join(append(declared.ModuleParts(), name), ".")
}

// secretName returns the [localName] of a secret. The argument own contains
// the secrets that the job itself declares.
func secretName(ws *hclspec.Workspace, module hclspec.Address, own []*hclspec.Secret, s *hclspec.Secret) string {
	return localName(module, s.Module, s.Name, slices.ContainsFunc(slices.Concat(own, ws.Secrets), func(o *hclspec.Secret) bool {
		return o.Module == module && o.Name == s.Name
	}))
}

func storageName(ws *hclspec.Workspace, job hclspec.Address, s *hclspec.Storage) string {
	return localName(job, s.Module, s.Name, ws.StorageIn(job, s.Name) != nil)
}

// FindSecret returns the declaration of a secret by its name in a resolved job,
// or nil. A secret declared in the job takes precedence over a secret declared
// in the workspace.
func FindSecret(ws *hclspec.Workspace, job hclspec.Address, name string) *hclspec.Secret {
	var own []*hclspec.Secret
	if declared := find(ws.Jobs, func(j *hclspec.Job) bool { return j.Address() == job }); declared != nil {
		own = declared.Secrets
	}
	if s := find(own, func(s *hclspec.Secret) bool { return s.Name == name }); s != nil {
		return s
	}
	return find(ws.Secrets, func(s *hclspec.Secret) bool { return secretName(ws, job.Module(), own, s) == name })
}

// FindStorage returns the declaration of a storage by its name in a resolved
// job, or nil.
func FindStorage(ws *hclspec.Workspace, job hclspec.Address, name string) *hclspec.Storage {
	return find(ws.Storages, func(s *hclspec.Storage) bool { return storageName(ws, job.Module(), s) == name })
}

func find[T any](all []*T, is func(*T) bool) *T {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return nil
}

func (r *resolver) localSecrets(job *Job) {
	names := map[string]string{}
	for _, s := range job.Secrets {
		if local := secretName(r.ws, r.job.Module, r.job.Secrets, s.Declared); local != s.Name {
			names[s.Name], s.Name = local, local
		}
	}
	if len(names) == 0 {
		return
	}
	slices.SortFunc(job.Secrets, func(a, b *Secret) int { return cmp.Compare(a.Name, b.Name) })
	for _, role := range job.TaskRoles {
		role.Secrets = renamed(role.Secrets, names)
	}
	rewrite(reflect.ValueOf(job).Elem(), func(text string) string {
		return template.RenameSecrets(text, func(name string) string { return cmp.Or(names[name], name) }, hclspec.SecretTag)
	})
}

func renamed(list []string, names map[string]string) []string {
	out := slices.Clone(list)
	for i, name := range out {
		if local, ok := names[name]; ok {
			out[i] = local
		}
	}
	slices.Sort(out)
	return out
}

// rewrite changes the strings in place. It copies maps and lists of strings,
// because the declared job may share them.
func rewrite(v reflect.Value, change func(string) string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			rewrite(v.Elem(), change)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("json") != "-" {
				rewrite(v.Field(i), change)
			}
		}
	case reflect.Slice, reflect.Map, reflect.Interface:
		if v.IsNil() {
			return
		}
		if isStruct(v.Type()) {
			for i := range v.Len() {
				rewrite(v.Index(i), change)
			}
			return
		}
		v.Set(changed(v, change))
	case reflect.String:
		v.SetString(change(v.String()))
	}
}

// isStruct reports whether a type is a slice of structs or struct pointers.
func isStruct(t reflect.Type) bool {
	if t.Kind() != reflect.Slice {
		return false
	}
	t = t.Elem()
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct
}

// changed returns a copy of v in which change replaces each string. Values of
// type hclspec.Number remain unchanged.
func changed(v reflect.Value, change func(string) string) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(changed(v.Elem(), change))
		}
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(changed(v.Index(i), change))
		}
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(it.Key(), changed(it.Value(), change))
		}
	case reflect.String:
		if v.Type() == reflect.TypeFor[hclspec.Number]() {
			return v
		}
		out.SetString(change(v.String()))
	default:
		return v
	}
	return out
}
