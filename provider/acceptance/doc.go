// Package acceptance tests the provider with real command lines: terraform,
// when it is on the PATH or TF_ACC_TERRAFORM_PATH names it, and tofu. Jobs run
// on the embedded local cluster and on a real kube-apiserver. Everything is
// behind the build tag acc.
package acceptance
