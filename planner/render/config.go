// SPDX-License-Identifier: MPL-2.0

package render

import (
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// configLimit is the maximum size in bytes of protocol text in the
// annotations.
const configLimit = 200_000

// addConfig adds the protocol text to the annotations and checks their total
// size.
func (r *renderer) addConfig(annotations map[string]string) {
	config := r.config()
	if config != "" && len(config) <= configLimit {
		annotations[contract.AnnotationConfig] = config
	}
	if r.target.Local {
		return
	}
	if len(config) > configLimit {
		r.report(ConfigOmitted.At(r.jobRange(),
			"The protocol text of job %q has %d bytes, more than the limit of %d. apply does not add the text to the Framework's annotations. OpenPAI's web portal cannot show the text; the job itself runs as declared.",
			r.job.Name, len(config), configLimit))
	}
	r.checkAnnotations(r.jobRange(), "the Framework", annotations)
}

// config returns protocol text with masked secrets, or "" if the protocol
// cannot express the job. Tasks do not need this text; OpenPAI's web portal
// shows it.
func (r *renderer) config() string {
	if r.target.Config != "" || r.target.Workspace == nil || r.job.Declared == nil {
		return r.target.Config
	}
	text, diags := protocol.Write(r.job.AddEnabled(), protocol.WriteOptions{Workspace: r.target.Workspace})
	if diags.HasErrors() {
		return ""
	}
	return string(text)
}
