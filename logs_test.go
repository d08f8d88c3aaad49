// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"testing"
)

func TestLibrariesLogOnlyIfALogIsRequested(t *testing.T) {
	tests := map[string]struct {
		environ []string
		want    string
	}{
		"no log level is set for the provider": {[]string{"HOME=/root", "TF_VAR_log=TRACE"}, "off"},
		"logs of everything":                   {[]string{"TF_LOG=TRACE"}, "unset"},
		"logs of providers":                    {[]string{"TF_LOG_PROVIDER=DEBUG"}, "unset"},
		"the level of the libraries is set":    {[]string{"TF_LOG_SDK_PROTO=DEBUG"}, "unset"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TF_LOG_SDK", "unset")
			if err := quiet(tt.environ); err != nil {
				t.Fatal(err)
			}
			if got := os.Getenv("TF_LOG_SDK"); got != tt.want {
				t.Errorf("TF_LOG_SDK=%s, want %s", got, tt.want)
			}
		})
	}
}
