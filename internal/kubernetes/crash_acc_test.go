//go:build acc

package kubernetes

// crashEnv makes this test program the process that is killed in the middle of
// an apply; its value is the kubeconfig.
const crashEnv = "OPENPAI_TEST_CRASH"

func crashMain() int { return 0 }
