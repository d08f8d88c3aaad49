// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"strings"
)

// quiet disables the plugin libraries' logs unless an environment variable
// requests logs. Otherwise, Terraform would spend a fifth of the apply time
// discarding several lines per request.
func quiet(environ []string) error {
	for _, variable := range environ {
		if strings.HasPrefix(variable, "TF_LOG") {
			return nil
		}
	}
	return os.Setenv("TF_LOG_SDK", "off")
}
