// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// check checks how often every task of the round ran. Kills are counted per
// Framework, but the ledger contains job names. The status maps the job names
// to Frameworks.
func (r *round) check(ctx context.Context) error {
	text, err := r.command(ctx, "status", "--json")
	if err != nil {
		return err
	}
	var status struct {
		Jobs []struct{ Name, Framework, State string }
	}
	if err := json.Unmarshal(text, &status); err != nil {
		return fmt.Errorf("read the status: %w", err)
	}
	frameworks := map[string]string{}
	for _, j := range status.Jobs {
		frameworks[j.Name] = j.Framework
		if j.State != "SUCCEEDED" {
			r.anomalies = append(r.anomalies, fmt.Sprintf("%s: state %s", j.Name, j.State))
		}
	}
	file, err := os.Open(filepath.Join(r.dir, ledgerFile))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	ledger, err := readLedger(file)
	if err != nil {
		return err
	}
	for _, e := range ledger {
		if e.event == "start" {
			r.attempts++
		}
	}
	for _, j := range expected {
		r.anomalies = append(r.anomalies, anomalies(j, r.killed[frameworks[j.name]], ledger)...)
	}
	return nil
}
