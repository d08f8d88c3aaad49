// SPDX-License-Identifier: MPL-2.0

package hclspec

import "testing"

func TestLookupFindsTheFieldOfAPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[Path]*Field{
		`job.x.task_role["w"].commands[0]`:                     TaskRoleBlock.Field("commands"),
		`job.x.task_role["w"]`:                                 JobBlock.Field("task_role"),
		`job["3 d"].name`:                                      JobBlock.Field("name"),
		`job.x["a.b"].name`:                                    JobBlock.Field("name"),
		`job.x.task_role["w"].resources.gpu`:                   resourcesBlock.Field("gpu"),
		`job.x.task_role["w"].resources`:                       TaskRoleBlock.Field("resources"),
		`job.x.task_role["w"].resources.ports["http"]`:         resourcesBlock.Field("ports"),
		`job.x.parameters["lr"].deep[3]`:                       JobBlock.Field("parameters"),
		`job.x.plugin["ssh"][1].parameters`:                    PluginBlock.Field("parameters"),
		`job.x.prerequisite["data"]["d"].uri[0]`:               PrerequisiteBlock.Field("uri"),
		`job.x.hived.task_role["w"].sku_type`:                  hivedTaskRoleBlock.Field("sku_type"),
		`prerequisite.data.mnist.fetch[0].url`:                 fetchBlock.Field("url"),
		`prerequisite.data["3dunet"].callback["taskFails"][1]`: PrerequisiteBlock.Field("callback"),
		`prerequisite.data["3dunet"].retry.attempts`:           retryBlock.Field("attempts"),
		`storage.nfs.nfs.server`:                               nfsBlock.Field("server"),
		`openpai.required_version`:                             OpenPAIBlock.Field("required_version"),
		`variable.size.default`:                                VariableBlock.Field("default"),
		`job.x.nothing`:                                        nil,
		`job.x.task_role["w"].nothing.more`:                    nil,
		`job.x`:                                                nil,
		`thing.x.name`:                                         nil,
		`["job"]`:                                              nil,
		`job.x.task_role["unfinished`:                          JobBlock.Field("task_role"),
		``:                                                     nil,
	} {
		if got := Lookup(path); got != want {
			t.Errorf("%s ends at %v, want %v", path, fieldName(got), fieldName(want))
		}
	}
	if got := JobBlock.Lookup(`task_role["w"].commands[0]`); got != TaskRoleBlock.Field("commands") {
		t.Errorf("the relative path ends at %v", fieldName(got))
	}
}

func fieldName(f *Field) string {
	if f == nil {
		return "no field"
	}
	return f.Name
}
