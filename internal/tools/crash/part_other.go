// SPDX-License-Identifier: MPL-2.0

//go:build !linux

package main

import "errors"

func parts(string) ([]part, error) { return nil, errors.ErrUnsupported }

func runningIn(string) []string { return nil }
