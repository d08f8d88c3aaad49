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

// Findings about storages that a cluster keeps.
var (
	ClaimNotFound = defineError("claim-not-found", "The claim does not exist",
		"A storage with `claim` adopts a PersistentVolumeClaim that is there already, in the namespace of the jobs. Create it, name another one, or declare the volume itself: then the claim is made with it.")
	VolumeFixed = defineError("volume-fixed", "The volume never changes",
		"Kubernetes keeps the source and the size of a volume as they were made. Declare the other volume as a storage with another name, or delete the claim and the volume from the cluster when nobody needs what they hold.")
)

// RuntimeImageOmitted is about objects that are written for a cluster.
var RuntimeImageOmitted = defineWarning("runtime-image-left-out", "Objects without the runtime image",
	"A job of the local cluster was exported as Kubernetes objects by a development build, which knows no runtime image. The objects show what would run, but a cluster refuses containers without an image. Give `--runtime-image IMAGE`.")
