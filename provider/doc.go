// Package provider is the Terraform provider openpai/openpai.
//
// It is thin: configurations are read into the model by package shape, checked
// by hclspec, resolved by planner/resolve, compared by planner and carried out
// by a cluster. No rule about jobs is written here; every diagnostic carries the
// path of the attribute it is about and the text that the command line prints.
package provider
