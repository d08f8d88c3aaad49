// SPDX-License-Identifier: MPL-2.0

package framework

import _ "embed"

// crd has the same fields as the definition that FrameworkController itself
// creates. Source: microsoft/frameworkcontroller:
// pkg/apis/frameworkcontroller/v1/crd.go.
//
//go:embed crd.yaml
var crd []byte

// CRD returns the CustomResourceDefinition of the Framework as YAML for kubectl
// apply.
func CRD() []byte { return append([]byte(nil), crd...) }
