package hclspec

import "testing"

func TestNewAddress(t *testing.T) {
	t.Parallel()
	for want, got := range map[Address]Address{
		"job.mnist":                      NewAddress("job", "mnist"),
		`job.train["a"]`:                 NewAddress("job", `train["a"]`),
		`job["3d"]`:                      NewAddress("job", "3d"),
		"prerequisite.data.mnist":        (&Prerequisite{Type: "data", Name: "mnist"}).Address(),
		`prerequisite.data["3dunet"]`:    (&Prerequisite{Type: "data", Name: "3dunet"}).Address(),
		"prerequisite.data.step-1":       NewAddress("prerequisite", "data", "step-1"),
		`prerequisite.data["a.b"]`:       NewAddress("prerequisite", "data", "a.b"),
		`prerequisite.data["say \"x\""]`: NewAddress("prerequisite", "data", `say "x"`),
		"storage.nfs":                    (&Storage{Name: "nfs"}).Address(),
		"cluster.gpu":                    (&Cluster{Name: "gpu"}).Address(),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
