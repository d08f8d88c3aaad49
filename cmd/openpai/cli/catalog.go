// SPDX-License-Identifier: MPL-2.0

package cli

import "github.com/openpai/terraform-provider-openpai/hclspec"

// RuntimeImageOmitted warns about exported objects that have no runtime
// image.
var RuntimeImageOmitted = hclspec.DefineWarning("runtime-image-left-out", "Objects without a runtime image",
	"A development build, which has no default runtime image, exported a job of the local cluster as Kubernetes objects. A cluster rejects these objects, because their init containers have no image. Set `--runtime-image IMAGE`.")

// Diagnostics about the lock file.
var (
	ImageDigestUnknown = hclspec.DefineWarning("image-digest-unknown", "Unknown image digest",
		"The registry did not return the digest of an image, so the lock file does not pin the image.")
	DownloadDigestUnknown = hclspec.DefineWarning("download-digest-unknown", "Unknown download digest",
		"A prerequisite's download could not be read, so the lock file does not pin the download.")
)

// Diagnostics about runs.
var (
	InvalidRun = hclspec.DefineError("invalid-run", "Invalid run",
		"Identify a run by ADDRESS@NUMBER (such as job.train@3) or by the first 8 digits of its UID. If only one job is selected, the run's number is sufficient. `openpai runs` lists the runs.")
	NoRuns = hclspec.DefineError("unknown-run", "Unknown run",
		"No recorded run matches, or several match. `openpai runs` lists the recorded runs. Run numbers may be missing because a submission failed or an old run was removed.")
)

// UnknownJob reports a command-line argument that does not match any job of the
// workspace.
var UnknownJob = hclspec.DefineError("unknown-job", "Unknown job",
	"The workspace has no job with the label or address given on the command line.")
