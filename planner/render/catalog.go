// SPDX-License-Identifier: MPL-2.0

package render

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics reported when a job is rendered for Kubernetes.
var (
	MissingRuntimeImage = hclspec.DefineError("missing-runtime-image", "No runtime image",
		"The openpai-runtime image prepares and runs every task on Kubernetes. A release build of openpai defaults to the image of its release. A development build has no default image. "+
			"Push the image of this build to a registry and set it as the runtime image.")
	RunSpecTooLarge = hclspec.DefineError("run-spec-too-large", "Run specification too large",
		"A ConfigMap stores the run specification of a task role. Kubernetes limits each ConfigMap to 1 MiB. Commands, environment and parameters count toward this limit. "+
			"Move long strings into a script or data file that a prerequisite fetches.")
	ResolvedJobOmitted = hclspec.DefineWarning("resolved-job-left-out", "Resolved job omitted",
		"A ConfigMap next to the run specifications stores the resolved job, so that later plans can show old values. openpai does not store a resolved job that is larger than 1 MiB. The job still runs.")
	ConfigOmitted = hclspec.DefineWarning("config-annotation-left-out", "Protocol text omitted",
		"The Framework contains the job as protocol YAML for OpenPAI's web portal. openpai omits protocol text larger than 200 kB to keep the annotations within the Kubernetes limit of 256 KiB. The job still runs.")
	AnnotationsTooLarge = hclspec.DefineError("annotations-too-large", "Annotations too large",
		"Kubernetes accepts at most 256 KiB of annotations on one object, keys and values together. Shorten or remove some annotations.")
	InvalidToleration = hclspec.DefineError("invalid-toleration", "Invalid toleration",
		"A toleration must be an object with the fields key, operator, value, effect and tolerationSeconds. FrameworkController, which uses the API of Kubernetes 1.16, would remove other fields.")
	InvalidLabel = hclspec.DefineError("invalid-label", "Invalid label value",
		"The value of a Kubernetes label must have at most 63 characters: letters, digits, '-', '_' and '.'. It must start and end with a letter or digit. The value of an annotation can be any string.")
	InvalidKubernetesName = hclspec.DefineError("invalid-kubernetes-name", "Invalid name for Kubernetes",
		"The keys of labels, annotations, node selectors and tolerations must have at most 63 characters: letters, digits, '-', '_' and '.'. The limit does not include an optional prefix (a DNS name and a slash). The name of an object, such as a PriorityClass, must be a lower-case DNS name. Kubernetes accepts a job with an invalid name but rejects its Pods, so plan reports an error.")
	ReservedPodKey = hclspec.DefineError("reserved-pod-key", "Reserved label or annotation",
		"OpenPAI, FrameworkController, HiveD and openpai use these labels and annotations to identify a Pod. A pod block cannot set them.")
	RelativeHostPath = hclspec.DefineError("relative-host-path", "Relative host path on a cluster",
		"A relative host_path is relative to the workspace directory, which exists only on this machine. On Kubernetes, use an absolute path on the nodes, or a claim, nfs, azure_file, azure_blob or csi storage.")
	HostPathOnCluster = hclspec.DefineWarning("host-path-on-cluster", "Host path on a cluster",
		"On Kubernetes, a host_path storage is a node directory. Tasks on different nodes see different directories, and namespaces with the Pod security level \"baseline\" reject the Pod. Use a claim, nfs, azure_file, azure_blob or csi storage for data that tasks share.")
	PodNotRestricted = hclspec.DefineError("pod-not-restricted", "Cluster rejects the Pods",
		"A cluster with pod_security = \"restricted\" runs only Pods that meet the Pod security level \"restricted\". The user of such a Pod must not be root. The Pod must not use node directories, the host network or capabilities. "+
			"openpai and the admission policy in the cluster manifests add the other settings that the level requires.")
	LocalFetchOnCluster = hclspec.DefineError("local-fetch-on-cluster", "Local file on a cluster",
		"Only the local cluster can fetch workspace files. Containers on Kubernetes cannot access files on this machine. Put the file on a web server, or on a storage that the task role mounts.")
	InvalidSecretName = hclspec.DefineError("invalid-secret-name", "Invalid secret name",
		"On Kubernetes, a job's secrets are keys in one Secret. Their names must have at most 253 characters: letters, digits, '-', '_' and '.'.")
)
