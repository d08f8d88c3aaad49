package provider

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// The objects of the field table that resources declare. What is left out has
// another place in Terraform: the provider block names the cluster, and
// secrets have no value in a configuration but the write-only one.
var (
	jobObject          = shape.New(hclspec.JobBlock, false, "cluster", "secrets.value").Open([]string{"id", "definition"}, "prerequisites", "reference_prerequisites").Compare(sameReference)
	prerequisiteObject = shape.New(hclspec.PrerequisiteBlock, false).Compare(sameReference)
	storageObject      = shape.New(hclspec.StorageBlock, false)
)
