// SPDX-License-Identifier: MPL-2.0

//go:build !linux

package process

func measureAll() (map[int]measured, error) { return nil, ErrNotMeasured }
