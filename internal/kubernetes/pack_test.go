// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"bytes"
	"strings"
	"testing"
)

func TestATextIsPackedAlikeEveryTime(t *testing.T) {
	text := []byte(strings.Repeat("the spec of a Framework ", 500))
	first := pack(text)
	_ = pack([]byte("something else"))
	if again := pack(text); !bytes.Equal(first, again) {
		t.Error("the second call returned different bytes")
	}
	got, err := unpack(first)
	if err != nil || !bytes.Equal(got, text) {
		t.Errorf("unpacked %d bytes, want %d: %v", len(got), len(text), err)
	}
}

func TestATextThatIsTooLargeIsNotCutOff(t *testing.T) {
	t.Parallel()
	if text, err := unpack(pack(make([]byte, maxUnpacked+1))); err == nil {
		t.Errorf("%d bytes were unpacked", len(text))
	}
	if text, err := unpack(pack(make([]byte, maxUnpacked))); err != nil || len(text) != maxUnpacked {
		t.Errorf("%d bytes, error %v", len(text), err)
	}
}
