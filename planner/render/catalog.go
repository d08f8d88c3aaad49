// SPDX-License-Identifier: MPL-2.0

package render

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics of rendering a job for Kubernetes.
var (
	MissingRuntimeImage = hclspec.DefineError("missing-runtime-image", "No runtime image",
		"Every task on Kubernetes is prepared and run by the openpai-runtime image. A released openpai knows the image of its release; a development build does not. "+
			"Push the image of this build with \"openpai cluster push-runtime REPOSITORY\" and name it in the cluster block: runtime { image = \"...\" }.")
	RunSpecTooLarge = hclspec.DefineError("run-spec-too-large", "Run specification too large",
		"The run specification of every task role is stored in a ConfigMap, which holds at most 1 MiB. Commands, environment and parameters count. "+
			"Move long texts into a script or data file that a prerequisite fetches.")
	ResolvedJobOmitted = hclspec.DefineWarning("resolved-job-left-out", "Resolved job omitted",
		"The resolved job is kept in a ConfigMap beside the run specifications, so that later plans can show old values. Above 1 MiB it is omitted. The job runs all the same.")
	ConfigOmitted = hclspec.DefineWarning("config-annotation-left-out", "Protocol text omitted",
		"The Framework carries the job as protocol text for OpenPAI's web pages. Texts above 200 kB are omitted so that the annotations stay below Kubernetes' limit of 256 KiB. The job runs all the same.")
	AnnotationsTooLarge = hclspec.DefineError("annotations-too-large", "Annotations too large",
		"Kubernetes accepts at most 256 KiB of annotations on one object, keys and values together. Shorten or remove some.")
	InvalidToleration = hclspec.DefineError("invalid-toleration", "Invalid toleration",
		"A toleration is an object with the fields key, operator, value, effect and tolerationSeconds. Other fields would be erased by FrameworkController, which knows Kubernetes 1.16.")
	InvalidLabel = hclspec.DefineError("invalid-label", "Invalid label value",
		"The value of a Kubernetes label has at most 63 letters, digits, '-', '_' and '.', and starts and ends with a letter or digit. Annotations take any text.")
	InvalidKubernetesName = hclspec.DefineError("invalid-kubernetes-name", "Invalid name for Kubernetes",
		"The keys of labels, annotations, node selectors and tolerations are at most 63 letters, digits, '-', '_' and '.', after an optional DNS name and a slash; the names of other objects, such as a PriorityClass, are DNS names in lower case. Kubernetes accepts a job with others and refuses its Pods, so they are errors of the plan.")
	ReservedPodKey = hclspec.DefineError("reserved-pod-key", "Reserved label or annotation",
		"OpenPAI, FrameworkController, HiveD and openpai identify a Pod by some of its labels and annotations. They cannot be set in pod { }.")
	RelativeHostPath = hclspec.DefineError("relative-host-path", "Relative host path on a cluster",
		"A relative host_path starts at the workspace directory, which exists on this machine only. On Kubernetes give an absolute path of the nodes, or a claim, nfs, azure_file, azure_blob or csi storage.")
	HostPathOnCluster = hclspec.DefineWarning("host-path-on-cluster", "Host path on a cluster",
		"On Kubernetes a host_path storage is a directory of the node: other nodes have another one, and namespaces with Pod security level baseline refuse the Pod. Use a claim, nfs, azure_file, azure_blob or csi storage for what tasks share.")
	PodNotRestricted = hclspec.DefineError("pod-not-restricted", "Pods that the cluster refuses",
		"A cluster block with pod_security = \"restricted\" runs Pods of that Pod security level only: they have a user other than root, no directories of the node, no host network and no capabilities. "+
			"Everything else that the level asks for is added by openpai and by the admission policy that \"openpai cluster manifests\" prints.")
	LocalFetchOnCluster = hclspec.DefineError("local-fetch-on-cluster", "Local file on a cluster",
		"A fetch of a file of the workspace works on the local cluster. Containers on Kubernetes do not see this machine's files: put the file on a web server, or on a storage that the task role mounts.")
	InvalidSecretName = hclspec.DefineError("invalid-secret-name", "Invalid secret name",
		"On Kubernetes a job's secrets are keys of one Secret, so their names have at most 253 letters, digits, '-', '_' and '.'.")
)
