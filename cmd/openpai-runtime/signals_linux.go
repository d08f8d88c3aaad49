package main

import "syscall"

func init() {
	forwarded = append(forwarded, syscall.SIGPWR, syscall.SIGSTKFLT)
}
