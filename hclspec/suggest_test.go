package hclspec

import "testing"

func TestSuggest(t *testing.T) {
	t.Parallel()
	known := []string{"justecho", "worker", "ps", "memory_mb"}
	for given, want := range map[string]string{
		"justecho_wrong": ` Did you mean "justecho"?`,
		"workr":          ` Did you mean "worker"?`,
		"memoryMB":       ` Did you mean "memory_mb"?`,
		"wokrer":         ` Did you mean "worker"?`,
		"evaluator":      "",
		"x":              "",
		"":               "",
	} {
		if got := Suggest(given, known); got != want {
			t.Errorf("for %q: got %q, want %q", given, got, want)
		}
	}
	if got := Suggest("anything", nil); got != "" {
		t.Errorf("suggested %q from nothing", got)
	}
}
