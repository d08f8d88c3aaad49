package cli

import "github.com/openpai/terraform-provider-openpai/hclspec"

// RuntimeImageOmitted warns about exported objects.
var RuntimeImageOmitted = hclspec.DefineWarning("runtime-image-left-out", "Objects without the runtime image",
	"A job of the local cluster was exported as Kubernetes objects by a development build, which knows no runtime image. The objects show what would run, but a cluster refuses containers without an image. Give `--runtime-image IMAGE`.")

// Diagnostics about the lock file.
var (
	ImageDigestUnknown = hclspec.DefineWarning("image-digest-unknown", "Digest of an image is not known",
		"The registry of an image could not be asked for its digest, so the lock file does not pin it.")
	DownloadDigestUnknown = hclspec.DefineWarning("download-digest-unknown", "Digest of a download is not known",
		"What a prerequisite fetches could not be read, so the lock file does not pin it.")
)

// Diagnostics about runs.
var (
	InvalidRun = hclspec.DefineError("invalid-run", "Invalid run",
		"A run is written ADDRESS@NUMBER, such as job.train@3; as its number alone where one job is meant; or as the first 8 digits of its UID. `openpai runs` lists them.")
	NoRuns = hclspec.DefineError("unknown-run", "Unknown run",
		"No run of that job or number is recorded, or several are. `openpai runs` lists what is recorded; a submission that failed leaves a hole in the numbers, and old runs are removed.")
)

// UnknownJob is about arguments of the command line.
var UnknownJob = hclspec.DefineError("unknown-job", "Unknown job",
	"A job was named on the command line by its label, address or name, and the workspace has none of that name.")
