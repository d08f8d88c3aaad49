package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// outputs returns a value as a tree.
func outputs(v tftypes.Value) tree {
	t, _ := shape.Tree(v)
	return t.(tree)
}

func TestDataSourcesSeeTheJobs(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	tf.resource("openpai_job").apply(job([]string{"exit 3"}, tree{"wait_for": "completed"}))
	one := outputs(tf.read("openpai_job", tree{"name": "mnist"}))
	if one["state"] != "FAILED" || one["exit_code"] != number(3) || one["framework_name"] != mnist || len(one["tasks"].([]any)) != 1 {
		t.Errorf("%v", one)
	}
	all := outputs(tf.read("openpai_jobs", tree{"states": []string{"FAILED"}}))["jobs"].([]any)
	if len(all) != 1 || all[0].(tree)["name"] != "mnist" {
		t.Errorf("%v", all)
	}
	if none := outputs(tf.read("openpai_jobs", tree{"states": []string{"RUNNING"}}))["jobs"].([]any); len(none) != 0 {
		t.Errorf("%v", none)
	}
	if c := outputs(tf.read("openpai_cluster", tree{})); c["kind"] != "local" || c["reachable"] != true || c["jobs"] != number(1) || c["ready"] != true || len(c["checks"].([]any)) != 4 {
		t.Errorf("%v", c)
	}
	if _, text := tf.tryRead("openpai_job", tree{"name": "nobody"}); !strings.Contains(text, "No such job") {
		t.Errorf("%s", text)
	}
}

func TestAClusterThatDoesNotAnswerIsReported(t *testing.T) {
	t.Parallel()
	tf := startWith(t, tree{"kubernetes": tree{"kubeconfig": t.TempDir() + "/none", "user": "alice", "workspace": "team"}})
	c := outputs(tf.read("openpai_cluster", tree{}))
	if c["reachable"] != false || c["problem"] == "" || c["kind"] != "kubernetes" {
		t.Errorf("%v", c)
	}
}
