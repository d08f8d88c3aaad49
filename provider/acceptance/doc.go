// SPDX-License-Identifier: MPL-2.0

// Package acceptance tests the provider with real command lines: terraform, if it
// is in PATH or set by TF_ACC_TERRAFORM_PATH, and tofu. Jobs run on the embedded
// local cluster and on a real kube-apiserver. All files have the build tag acc.
package acceptance
