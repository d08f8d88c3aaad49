// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"strings"
)

// quiet disables the logs of the plugin libraries unless an environment variable
// requests logs. At every level, the libraries write several lines per request.
// Without quiet, Terraform would spend a fifth of the apply time reading and
// discarding these lines.
func quiet(environ []string) error {
	for _, variable := range environ {
		if strings.HasPrefix(variable, "TF_LOG") {
			return nil
		}
	}
	return os.Setenv("TF_LOG_SDK", "off")
}
