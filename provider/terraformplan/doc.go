// Package terraformplan reads the JSON of a plan that "terraform show -json
// PLANFILE" and "tofu show -json PLANFILE" write. It reads what a plan does with
// resources, which provider block each has, and which values are sensitive. What
// the values mean is known to package provider.
package terraformplan
