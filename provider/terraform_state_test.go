// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local"
)

// diff lists the attributes that differ.
func diff(before, after tftypes.Value) string {
	var b strings.Builder
	for _, name := range sortedKeys(attributesOf(before)) {
		x, y := attributesOf(before)[name], attributesOf(after)[name]
		if !x.Equal(y) {
			b.WriteString(name + ": " + x.String() + " -> " + y.String() + "\n")
		}
	}
	return b.String()
}

// unexpected returns the text without the warning that every job on the local
// cluster causes.
func unexpected(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "Image not used on the local cluster") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// json encodes a state in Terraform's JSON format.
func (tf *terraform) json(state tftypes.Value) []byte {
	tf.t.Helper()
	described, err := state.Type().MarshalJSON() //nolint:staticcheck // the one way to the type that Terraform writes with
	if err != nil {
		tf.t.Fatal(err)
	}
	typ, err := ctyjson.UnmarshalType(described)
	if err != nil {
		tf.t.Fatal(err)
	}
	value, err := msgpack.Unmarshal(tf.encode(state).MsgPack, typ)
	if err != nil {
		tf.t.Fatal(err)
	}
	text, err := ctyjson.Marshal(value, typ)
	if err != nil {
		tf.t.Fatal(err)
	}
	return text
}

// removeAll deletes every job, so that no process writes to the directory
// afterwards.
func removeAll(t testing.TB, dir string) {
	c, err := local.Open(dir, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen, err := c.Read(contextOf(t), localWorkspace, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range seen.Jobs {
		if err := c.Delete(contextOf(t), job.Framework); err != nil && !errors.Is(err, cluster.ErrNotFound) {
			t.Errorf("delete %s: %v", job.Address, err)
		}
	}
}

// contextOf returns a test context that remains valid during cleanup.
func contextOf(t testing.TB) context.Context { return context.WithoutCancel(t.Context()) }

// awaitBegin waits until the job is no longer waiting: a plan to end a
// waiting job does not end a running job.
func (i *instance) awaitBegin() {
	framework := stringOr(attributesOf(i.state)["framework_name"], "")
	if framework == "" || i.tf.dir == "" {
		return
	}
	c, err := local.Open(i.tf.dir, local.Options{})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	if _, err := cluster.Wait(i.tf.t.Context(), c, framework, cluster.Running, nil); err != nil && !errors.Is(err, cluster.ErrNotFound) && !errors.Is(err, cluster.ErrEnded) {
		i.tf.t.Logf("wait for the job: %v", err)
	}
}
