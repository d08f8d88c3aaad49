package cli

import "github.com/openpai/terraform-provider-openpai/hclspec"

// RuntimeImageOmitted is about objects that are written for a cluster.
var RuntimeImageOmitted = hclspec.DefineWarning("runtime-image-left-out", "Objects without the runtime image",
	"A job of the local cluster was exported as Kubernetes objects by a development build, which knows no runtime image. The objects show what would run, but a cluster refuses containers without an image. Give `--runtime-image IMAGE`.")

// Diagnostics about the lock file.
var (
	ImageDigestUnknown = hclspec.DefineWarning("image-digest-unknown", "Digest of an image is not known",
		"The registry of an image could not be asked for its digest, so the lock file does not pin it.")
	DownloadDigestUnknown = hclspec.DefineWarning("download-digest-unknown", "Digest of a download is not known",
		"What a prerequisite fetches could not be read, so the lock file does not pin it.")
)

// UnknownJob is about the command line.
var UnknownJob = hclspec.DefineError("unknown-job", "Unknown job",
	"A job was named on the command line by its label, address or name, and the workspace has none of that name.")
