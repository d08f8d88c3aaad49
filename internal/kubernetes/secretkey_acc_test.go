// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
)

// TestConcurrentCommandsUseTheSameKey creates the key after a command has found that
// no key exists. It checks that this command uses the created key.
func TestConcurrentCommandsUseTheSameKey(t *testing.T) {
	namespace := newNamespace(t)
	var first []byte
	c, _ := behind(t, namespace, func(r fault.Request) (fault.Kind, bool) {
		if strings.HasPrefix(requestName(r, namespace), "POST secrets") {
			var err error
			if first, err = open(t, namespace, "vision").SecretKey(t.Context(), "vision"); err != nil {
				t.Error(err)
			}
		}
		return "", false
	})
	c.options.RequestTimeout = time.Minute
	second, err := c.SecretKey(t.Context(), "vision")
	if err != nil || len(first) == 0 || !bytes.Equal(first, second) {
		t.Errorf("the commands have the keys %x and %x, error %v", first, second, err)
	}
}
