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

func TestADamagedTextDoesNotAffectTheNext(t *testing.T) {
	t.Parallel()
	whole := pack([]byte("the spec of a Framework"))
	for name, damaged := range map[string][]byte{"another format": []byte("text"), "cut off": whole[:len(whole)-9]} {
		if text, err := unpack(damaged); err == nil {
			t.Errorf("%s: unpacked %q", name, text)
		}
		if text, err := unpack(whole); err != nil || string(text) != "the spec of a Framework" {
			t.Errorf("after %s: %q %v", name, text, err)
		}
	}
}
