// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// defaultTimeout is the default timeout for an operation. Many Terraform
// providers use this value.
const defaultTimeout = 20 * time.Minute

// checkControl checks the attributes that control apply.
func checkControl(v tftypes.Value, diags *diag.Diagnostics) {
	for _, name := range []string{"create", "update", "delete"} {
		checkTimeout(v, name, diags)
	}
	wait := stringOr(attributesOf(v)["wait_for"], waitAccepted)
	if !slices.Contains(waitValues, wait) {
		diags.AddAttributeError(path.Root("wait_for"), hclspec.ValueNotAllowed.Summary,
			"wait_for must be one of \""+strings.Join(waitValues, "\", \"")+"\", but is \""+wait+"\"."+hclspec.Suggest(wait, waitValues))
	}
}

var waitValues = []string{waitAccepted, waitRunning, waitCompleted}

func checkTimeout(v tftypes.Value, operation string, diags *diag.Diagnostics) {
	written := stringOr(attributesOf(attributesOf(v)["timeouts"])[operation], "")
	if written == "" {
		return
	}
	if _, err := hclspec.ParseDuration(written); err != nil {
		at := path.Root("timeouts").AtName(operation)
		diags.AddAttributeError(at, hclspec.InvalidSpelling.Summary,
			operation+" is \""+written+"\", but "+err.Error()+"."+nestedPath(at))
	}
}

// readTime is the time limit for reads after an operation.
const readTime = 30 * time.Second

// afterwards returns a context for reads after an operation. The timeout of the
// operation does not apply, because this timeout may have expired.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), readTime)
}

// withTimeout returns a context with the declared timeout, or with the
// fallback if no timeout is declared. 0 means no limit.
func withTimeout(ctx context.Context, v tftypes.Value, operation string, fallback time.Duration) (context.Context, context.CancelFunc) {
	limit := fallback
	if d, err := hclspec.ParseDuration(stringOr(attributesOf(attributesOf(v)["timeouts"])[operation], "")); err == nil {
		limit = time.Duration(d)
	}
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}
