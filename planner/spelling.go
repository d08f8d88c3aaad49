// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"reflect"
	"strings"
	"sync"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// spelling defines how a job field appears in the leaves that a plan hashes
// and compares. A field without an entry in the table appears under its JSON
// name.
type spelling struct {
	// path is the HCL path, relative to the enclosing object.
	path string
	// inline is set if the fields of an object belong to the enclosing object.
	inline bool
	// omit is the reason why the field is neither hashed nor compared.
	omit string
	// key is the Go field that identifies an element in a list of objects. If key
	// is "", the index identifies an element.
	key string
	// value is the Go field that contains the whole content of an element.
	// value is set only if key is set.
	value string
	// order is set for lists whose order matters. The leaf at the path order
	// contains the keys in list order.
	order string
	// seconds is set if the field is in seconds and the HCL attribute is a
	// duration.
	seconds bool
	// attributes is set if the keys of a map appear as attributes in paths.
	attributes bool
}

const (
	identity  = "identifies the job; plans use the field to match jobs and do not compare it"
	forPeople = "only for display; plans compare the content"
	inPath    = "is part of the path"
	derived   = "is derived from fields that plans compare"
	ofStorage = "belongs to the storage, not to the job"
	notInJSON = "is not part of the canonical job"
)

var spellings = map[reflect.Type]map[string]spelling{
	reflect.TypeFor[resolve.Job](): {
		// Plans compare Name, because a change to the name requires a new
		// Framework.
		"Address":          {omit: identity},
		"Framework":        {omit: identity},
		"User":             {omit: identity},
		"Workspace":        {omit: identity},
		"Cluster":          {omit: identity},
		"Deployment":       {path: "default_deployment"},
		"TaskRoles":        {path: "task_role", key: "Name", order: "task_role_order"},
		"Secrets":          {omit: "compared by version"},
		"Items":            {omit: forPeople},
		"Notification":     {attributes: true},
		"JobSettings":      {inline: true},
		"JobInputs":        {inline: true},
		"JobLifecycle":     {inline: true},
		"MaxWaitSeconds":   {path: "max_wait_time", seconds: true},
		"StopGraceSeconds": {path: "stop_grace", seconds: true},
	},
	reflect.TypeFor[resolve.TaskRole](): {
		"Name":                  {omit: inPath},
		"FrameworkName":         {omit: derived},
		"MinFailed":             {path: "completion.min_failed_instances"},
		"MinSucceeded":          {path: "completion.min_succeeded_instances"},
		"Limits":                {path: "resources"},
		"ExtraContainerOptions": {path: "extra_container_options"},
		"Ports":                 {path: "resources.ports", key: "Label", value: "Count"},
		"FixedPorts":            {path: "resources.fixed_ports"},
		"Steps":                 {path: "prerequisites", key: "Address", order: "prerequisites"},
		"Mounts":                {path: "storage", key: "Path"},
		"Secrets":               {omit: derived},
		"MaxRunSeconds":         {path: "max_run_time", seconds: true},
		"StopGraceSeconds":      {path: "stop_grace", seconds: true},
	},
	reflect.TypeFor[resolve.Image](): {
		"Address":     {omit: forPeople},
		"Username":    {path: "auth.username"},
		"Password":    {path: "auth.password"},
		"RegistryURI": {path: "auth.registry_uri"},
	},
	reflect.TypeFor[resolve.Step](): {
		"Address":    {omit: inPath},
		"Callbacks":  {path: "callback", key: "Event"},
		"RequiredBy": {omit: forPeople},
		"Source":     {omit: forPeople},
		"Title":      {omit: forPeople},
		"Link":       {omit: forPeople},
	},
	reflect.TypeFor[resolve.Callback](): {
		"Event":          {omit: inPath},
		"TimeoutSeconds": {path: "timeout", seconds: true},
	},
	reflect.TypeFor[resolve.Retry](): {
		"BackoffSeconds": {path: "backoff", seconds: true},
	},
	reflect.TypeFor[resolve.Mount](): {
		"Path":    {omit: inPath},
		"Storage": {path: "use"},
		"Address": {omit: forPeople},
		"By":      {omit: forPeople},
		// The storage block determines the content of the mount. Plans therefore
		// compare the fields of the block like fields of the mount.
		"Declared": {inline: true},
	},
	reflect.TypeFor[resolve.Hived](): {
		"Priority":  {omit: derived},
		"TaskRoles": {path: "task_role", key: "Name"},
	},
	reflect.TypeFor[resolve.HivedTaskRole](): {
		"Name":          {omit: inPath},
		"AffinityGroup": {omit: derived},
	},
	reflect.TypeFor[hclspec.Storage](): {
		"Name":      {omit: "compared as the storage of the mount"},
		"Module":    {omit: "compared as the storage of the mount"},
		"Path":      {omit: forPeople},
		"ReadOnly":  {omit: "compared as a field of the mount"},
		"Size":      {omit: ofStorage},
		"OnDestroy": {omit: ofStorage},
		"Users":     {omit: ofStorage},
		"Groups":    {omit: ofStorage},
	},
	reflect.TypeFor[hclspec.Pod](): {
		"Path": {omit: forPeople},
	},
}

// blocks maps model types to blocks of the field table, which contain the
// field names.
var blocks = func() map[reflect.Type]*hclspec.Block {
	byType := map[reflect.Type]*hclspec.Block{}
	for _, b := range []*hclspec.Block{hclspec.PodBlock, hclspec.StorageBlock} {
		byType[b.Type] = b
		for _, f := range b.Fields {
			if f.Block != nil {
				byType[f.Block.Type] = f.Block
			}
		}
	}
	return byType
}()

// spelled caches the result of spellingsOf for each type, because reflection is
// slow.
var spelled sync.Map

// spellingsOf returns the spellings of a struct, indexed like its fields.
func spellingsOf(t reflect.Type) []spelling {
	if known, ok := spelled.Load(t); ok {
		return known.([]spelling)
	}
	all := make([]spelling, t.NumField())
	for i := range all {
		all[i] = spell(t, t.Field(i))
	}
	spelled.Store(t, all)
	return all
}

func spell(t reflect.Type, f reflect.StructField) spelling {
	s := spellings[t][f.Name]
	if s.path != "" || s.omit != "" || s.inline {
		return s
	}
	if f.Tag.Get("json") == "-" {
		return spelling{omit: notInJSON}
	}
	s.path = fieldName(t, f)
	return s
}

func fieldName(t reflect.Type, f reflect.StructField) string {
	if b := blocks[t]; b != nil {
		for _, field := range b.Fields {
			if field.Go == f.Name {
				return field.Name
			}
		}
	}
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		panic("planner: " + t.Name() + "." + f.Name + " has no spelling")
	}
	return name
}
