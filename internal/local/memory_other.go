//go:build !linux && !darwin

package local

func memoryMB() int { return 0 }
