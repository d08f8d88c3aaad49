// SPDX-License-Identifier: MPL-2.0

package main

import "syscall"

func init() {
	forwarded = append(forwarded, syscall.SIGPWR, syscall.SIGSTKFLT)
}
