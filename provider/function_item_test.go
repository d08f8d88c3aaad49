// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"
)

func TestAPrerequisiteIsPublishedWithWhatItRequires(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	wget := script("wget")
	wget["version"] = "1.0"
	mnist := script("mnist", define(t, tf, wget))
	mnist["version"], mnist["description"] = "1.0", "first line\n\nthird: line"
	mnist["callbacks"] = []any{tree{"event": "taskStarts", "commands": []string{"if true; then\n  echo deep\nfi"}}}
	use := define(t, tf, mnist)
	content, text := tf.call("export_item", use)
	if text != "" {
		t.Fatal(text)
	}
	i := tf.resource("openpai_marketplace_item")
	i.mustApply(tree{"to": "market", "name": "data", "content": content}, "create")
	found := outputs(tf.read("openpai_marketplace_item", tree{"source": "market", "name": "mnist"}))
	c := worker(job([]string{"true"}), tree{"prerequisites": []any{tree{"use": found["definition"]}}})
	one := tf.resource("openpai_job").plan(c)
	two := tf.resource("openpai_job").plan(worker(job([]string{"true"}), tree{"prerequisites": []any{tree{"use": use}}}))
	if before, after := attributesOf(two.state)["content_hash"], attributesOf(one.state)["content_hash"]; !before.IsFullyKnown() || !before.Equal(after) {
		t.Errorf("the published prerequisite differs: %s, %s\n%s\n%s", before, after, content, one.diagnostics)
	}
}

func TestOnlyDefinitionsAreExported(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	for name, wrong := range map[string]string{"a name": "script.wget", "another JSON": `{"a":1}`} {
		if _, text := tf.call("export_item", wrong); !strings.Contains(text, "Invalid definition") {
			t.Errorf("%s: %s", name, text)
		}
	}
}
