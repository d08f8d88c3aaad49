// SPDX-License-Identifier: MPL-2.0

//go:build unix && !linux

package pipe

import "os"

func enlarge(*os.File) {}
