//go:build unix && !linux

package pipe

import "os"

func enlarge(*os.File) {}
