// SPDX-License-Identifier: MPL-2.0

//go:build acc

package fault

import "context"

func contextWithIndex(ctx context.Context, index int) context.Context {
	if index < 0 {
		return context.WithValue(ctx, indexKey{}, nil)
	}
	return context.WithValue(ctx, indexKey{}, index)
}

func withoutCancel(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }
