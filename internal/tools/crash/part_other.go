//go:build !linux

package main

import "errors"

func parts(string) ([]part, error) { return nil, errors.ErrUnsupported }

func left(string) []string { return nil }
