package contract

import (
	"strings"
	"testing"
)

func TestLabelValue(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"a plain text is kept":                       {"mnist-team", "mnist-team"},
		"an address is kept":                         {"job.mnist_2", "job.mnist_2"},
		"an empty text is kept":                      {"", ""},
		"63 letters are kept":                        {strings.Repeat("a", 63), strings.Repeat("a", 63)},
		"an instance key is flattened and hashed":    {`job.train["a"]`, "job.train-a-339731b0"},
		"a text of other letters becomes a hash":     {"数据", "5440f742"},
		"an end that labels do not allow is dropped": {"team.", "team-ed06163b"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := LabelValue(tt.text); got != tt.want {
				t.Errorf("LabelValue(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestLabelValueIsAlwaysValidAndDistinct(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, text := range []string{strings.Repeat("a", 64), strings.Repeat("a", 65), strings.Repeat("-", 70), "a b", "a-b ", "a/b", strings.Repeat("a.", 60), "é", "\x00"} {
		got := LabelValue(text)
		if len(got) > labelLimit || !labelValue.MatchString(got) {
			t.Errorf("LabelValue(%q) = %q is no label value", text, got)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q both become %q", text, other, got)
		}
		seen[got] = text
	}
}

func TestObjectNames(t *testing.T) {
	t.Parallel()
	const framework = "b1a72a6db33b44267e352ef3cff002aa"
	for got, want := range map[string]string{
		FrameworkName("alice", "j"): framework,
		RunConfigMap(framework):     framework + "-run",
		RecordConfigMap(framework):  framework + "-record",
		RegistrySecret(framework):   framework + "-regcred",
		JobSecret(framework):        framework + "-configcred",
		PriorityClass(framework):    framework + "-priority",
		RoleName("ps_Server-1"):     "psserver1",
	} {
		if got != want {
			t.Errorf("name %q, want %q", got, want)
		}
	}
}
