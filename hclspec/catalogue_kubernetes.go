package hclspec

// Findings about jobs that run on Kubernetes.
var (
	UnnamedWorkspace = defineError("unnamed-workspace", "Workspace has no name",
		"On Kubernetes the name of the workspace decides which jobs belong to it, so it must be the same wherever the configuration is applied. Write it: openpai { workspace = \"...\" }.")
	ClusterWithoutUser = defineError("cluster-without-user", "Cluster block names no user",
		"On Kubernetes the user is part of a job's identity, so it must be the same wherever the configuration is applied. Write `user` in the cluster block.")
	LivingOpenPAI = defineError("living-openpai", "Namespace of a running OpenPAI",
		"The database-controller of OpenPAI deletes every Framework of its namespace that it did not make. Use another namespace of the cluster, or switch its retain mode on.")
)
