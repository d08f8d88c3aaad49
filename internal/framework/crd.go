package framework

import _ "embed"

// crd is the definition that FrameworkController itself creates, field by
// field. Source: microsoft/frameworkcontroller:
// pkg/apis/frameworkcontroller/v1/crd.go.
//
//go:embed crd.yaml
var crd []byte

// CRD returns the CustomResourceDefinition of the Framework as YAML, as kubectl
// applies it.
func CRD() []byte { return append([]byte(nil), crd...) }
