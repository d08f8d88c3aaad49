// SPDX-License-Identifier: MPL-2.0

// Package acceptance tests the provider with the real programs tofu and terraform.
// It requires tofu. It runs terraform only if terraform is in PATH or
// TF_ACC_TERRAFORM_PATH is set. Jobs run on the embedded local cluster and on a real
// kube-apiserver. All files have the build tag acc.
package acceptance
