// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/runtime/pipe"
	"github.com/openpai/terraform-provider-openpai/runtime/plugin"
)

// gpuTimeout is the time limit for nvidia-smi, which takes several seconds without
// persistence mode.
const gpuTimeout = 10 * time.Second

// checkGPUs checks whether GPUs report memory errors. It runs only after a
// failure, and only if nvidia-smi is installed.
func (t *task) checkGPUs() {
	if t.record.UserCode == 0 || t.record.Stopped || t.env == nil {
		return
	}
	path, _ := t.env.lookup("PATH")
	program := plugin.FindProgram("nvidia-smi", path)
	if program == "" {
		return
	}
	text, err := t.commandOutput(program, "-q", "-x")
	if err != nil {
		t.log.Warning("nvidia-smi does not report data about the GPUs: " + err.Error())
		return
	}
	gpus, err := parseGPUs(text)
	if err != nil {
		t.log.Warning("the output of nvidia-smi cannot be parsed: " + err.Error())
		return
	}
	for _, g := range gpus {
		if g.errors > 0 {
			t.eccErrors = true
			t.log.Warning(fmt.Sprintf("GPU %s (%s) reports %d memory errors that it could not correct", g.id, g.name, g.errors))
		}
	}
}

// maxGPUText is the maximum number of bytes to read from nvidia-smi.
const maxGPUText = 4 << 20

// limitedBuffer is a sink that stores the start of its input.
type limitedBuffer struct{ bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if available := maxGPUText - b.Len(); available > 0 {
		_, _ = b.Buffer.Write(p[:min(len(p), available)])
	}
	return len(p), nil
}

// Flush does nothing.
func (*limitedBuffer) Flush() error { return nil }

// commandOutput runs a program that the runtime needs, such as nvidia-smi. The
// program starts through t.children, because only one goroutine may wait for
// child processes.
func (t *task) commandOutput(argv ...string) ([]byte, error) {
	out := &limitedBuffer{}
	source, w, err := pipe.NewSource(out)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		_ = w.Close()
		return nil, err
	}
	p, err := t.children.start(argv, t.env.list(nil), t.WorkDir, []*os.File{null, w, null})
	_, _ = w.Close(), null.Close()
	if err != nil {
		return nil, err
	}
	timer := time.NewTimer(gpuTimeout)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
		p.signal(syscall.SIGKILL)
		return nil, fmt.Errorf("it did not respond within %s", gpuTimeout)
	case <-t.stop.requested:
		p.signal(syscall.SIGKILL)
		return nil, fmt.Errorf("the task received a stop request")
	}
	if code := p.status.ExitStatus(); code != 0 {
		return nil, fmt.Errorf("it exited with code %d", code)
	}
	source.Sync()
	return out.Bytes(), nil
}

// gpu is the state of one GPU.
type gpu struct {
	id, name string
	errors   int // uncorrectable errors since the driver was loaded
}

// parseGPUs parses the XML output of nvidia-smi. It supports old drivers
// (double_bit/total) and new drivers (sram_uncorrectable…, dram_uncorrectable). For
// a counter that a GPU does not have, nvidia-smi prints "N/A".
func parseGPUs(text []byte) ([]gpu, error) {
	type counters struct {
		DoubleBit struct {
			Total string `xml:"total"`
		} `xml:"double_bit"`
		Others []struct {
			XMLName xml.Name
			Text    string `xml:",chardata"`
		} `xml:",any"`
	}
	var smi struct {
		GPUs []struct {
			ID       string   `xml:"id,attr"`
			Name     string   `xml:"product_name"`
			Volatile counters `xml:"ecc_errors>volatile"`
		} `xml:"gpu"`
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict = false
	if err := d.Decode(&smi); err != nil {
		return nil, err
	}
	var all []gpu
	for _, g := range smi.GPUs {
		found := gpu{id: g.ID, name: g.Name, errors: count(g.Volatile.DoubleBit.Total)}
		for _, o := range g.Volatile.Others {
			if strings.HasPrefix(o.XMLName.Local, "sram_uncorrectable") || o.XMLName.Local == "dram_uncorrectable" {
				found.errors += count(o.Text)
			}
		}
		all = append(all, found)
	}
	return all, nil
}

func count(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return 0
	}
	return n
}
