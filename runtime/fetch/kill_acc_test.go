// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package fetch

import "testing"

func TestAKilledDownloadOf200MBIsContinued(t *testing.T) { killed(t, 200<<20) }
