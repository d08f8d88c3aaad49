package contract

import (
	"regexp"
	"strings"
	"testing"
)

func TestItemsConfigMap(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for _, file := range []string{"wget-1.0.yaml", "Wget-1.0.yaml", "wget-1-0.yaml", "数据-1.yaml", strings.Repeat("x", 300) + ".pai.hcl", ""} {
		name := ItemsConfigMap(file)
		if !regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`).MatchString(name) || len(name) > 253 {
			t.Errorf("%q gives %q, no name of an object", file, name)
		}
		if other, met := names[name]; met {
			t.Errorf("%q and %q have the name %s", file, other, name)
		}
		names[name] = file
	}
	if got := ItemsConfigMap("wget-1.0.yaml"); !strings.HasPrefix(got, "openpai-items-wget-1-0-yaml-") {
		t.Errorf("name %s", got)
	}
}
