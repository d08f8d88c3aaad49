// Package planfile reads and writes files with saved plans. It knows a file by
// its first line, whatever its name, and finds one that was changed since. What
// a plan is bound to, and whether it may be applied, is decided by
// [github.com/openpai/terraform-provider-openpai/internal/operation].
package planfile
