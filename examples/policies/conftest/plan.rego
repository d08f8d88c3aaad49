# Rules for conftest on the document that "openpai plan --json" prints:
#
#	openpai plan --json jobs >plan.json
#	conftest test --policy examples/policies/conftest plan.json

package main

import rego.v1

max_gpus := 8

starts := {"create", "update", "replace"}

# An image is pinned by a digest, or by a tag other than latest.
pinned(uri) if contains(uri, "@sha256:")

pinned(uri) if {
	regex.match(`:[^:/@]+$`, uri)
	not endswith(uri, ":latest")
}

deny contains msg if {
	some change in input.changes
	change.action in starts
	some role in change.job.task_roles
	not pinned(role.image.uri)
	msg := sprintf("%s: the image %s is not pinned", [change.address, role.image.uri])
}

deny contains msg if {
	some resource in input.resources
	resource.after.gpus > max_gpus
	msg := sprintf("%d GPUs in the virtual cluster %s, and %d are allowed", [resource.after.gpus, resource.virtual_cluster, max_gpus])
}

warn contains msg if {
	some change in input.changes
	change.action in {"replace", "delete"}
	change.ended_tasks > 0
	msg := sprintf("%s: %d running tasks end", [change.address, change.ended_tasks])
}
