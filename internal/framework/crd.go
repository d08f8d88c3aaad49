// SPDX-License-Identifier: MPL-2.0

package framework

import _ "embed"

// crd is the definition that FrameworkController itself creates, with the same
// fields. Source: microsoft/frameworkcontroller:
// pkg/apis/frameworkcontroller/v1/crd.go.
//
//go:embed crd.yaml
var crd []byte

// CRD returns the CustomResourceDefinition of the Framework as YAML for kubectl
// apply.
func CRD() []byte { return append([]byte(nil), crd...) }
