package main

import (
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// places are the directories and files of a container.
type places struct {
	root, config, logs, secrets, termination string
}

// placesOf returns the places of the contract, or those that the environment
// names: PAI_CONFIG_DIR, PAI_ROOT_DIR, PAI_TERMINATION_FILE.
func placesOf(getenv func(string) string) places {
	or := func(name, usual string) string {
		if v := getenv(name); v != "" {
			return v
		}
		return usual
	}
	root := or("PAI_ROOT_DIR", contract.Root)
	below := func(path string) string {
		rel, err := filepath.Rel(contract.Root, path)
		if err != nil {
			panic("openpai-runtime: " + err.Error())
		}
		return filepath.Join(root, rel)
	}
	return places{
		root:        root,
		config:      or("PAI_CONFIG_DIR", contract.ConfigDir),
		logs:        filepath.Join(below(contract.LogDir), getenv(contract.EnvPodUID)),
		secrets:     below(contract.SecretsDir),
		termination: or("PAI_TERMINATION_FILE", contract.TerminationFile),
	}
}
