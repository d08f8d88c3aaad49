// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
)

// The label of TensorBoard's port, and the environment variable that contains the
// port.
const (
	tensorboardLabel = "tensorboard"
	tensorboardPort  = "PAI_TENSORBOARD_PORT"
)

// tensorboard starts TensorBoard in the first task of the first role. The
// parameters are logdir (a map of names to paths) and port. Every problem causes
// only a warning, because the task does not depend on TensorBoard. Source:
// microsoft/openpai-runtime: src/plugins/tensorboard.
func (s *Set) tensorboard(_ context.Context, t Task, step *runspec.Step) Result {
	place := t.Attempt()
	if place.Index != 0 || len(place.Spec.Roles) == 0 || place.Spec.Roles[0].Name != place.Spec.Role {
		return Result{}
	}
	skip := func(format string, args ...any) Result {
		t.Warn("TensorBoard is not started: " + fmt.Sprintf(format, args...))
		return Result{}
	}
	p := newParameters(t, step)
	wanted := int(p.numberValue("port"))
	logdir := p.object("logdir")
	names := slices.Sorted(maps.Keys(logdir.all))
	var dirs []string
	for _, name := range names {
		dirs = append(dirs, logdir.stringValue(name))
	}
	if errs := append(p.errs, logdir.errs...); len(errs) > 0 {
		return skip("%s", strings.Join(errs, "; "))
	}
	if len(dirs) == 0 {
		return skip("the parameter logdir does not contain any directories")
	}
	path, _ := t.Variable("PATH")
	if FindProgram("tensorboard", path) == "" {
		return skip("the image does not contain the program tensorboard")
	}
	port, ok := s.tensorboardPort(place, wanted)
	if !ok {
		return skip("no port is free")
	}
	if wanted != 0 && port != wanted {
		t.Warn(fmt.Sprintf("port %d is in use; TensorBoard uses port %d", wanted, port))
	}
	t.SetVariable(tensorboardPort, strconv.Itoa(port))
	t.Info(fmt.Sprintf("TensorBoard starts on port %d", port))
	t.Serve("TensorBoard", tensorboardScript(names, dirs, port, place.Listen))
	return Result{}
}

// FindProgram searches the directories in a PATH for a program. It returns the path
// of the program, or "" if no directory contains it.
func FindProgram(name, path string) string {
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && filepath.IsAbs(file) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}

// portTries is the maximum number of ports that tensorboardPort tries from
// the port formula.
const portTries = 100

// tensorboardPort allocates the requested port, or else the first free port
// from the port formula.
func (s *Set) tensorboardPort(place Attempt, wanted int) (int, bool) {
	var candidates []int
	if wanted != 0 {
		candidates = append(candidates, wanted)
	}
	if place.Spec.PortEnd > place.Spec.PortStart {
		candidates = append(candidates, contract.Ports(place.PodUID, tensorboardLabel, portTries, place.Spec.PortStart, place.Spec.PortEnd)...)
	}
	own := slices.Concat(slices.Collect(maps.Values(place.Self.Ports))...)
	for _, port := range candidates {
		if port != wanted && slices.Contains(own, port) || s.allocated[port] || !portAvailable(port, place.Listen) {
			continue
		}
		if s.allocated == nil {
			s.allocated = map[int]bool{}
		}
		s.allocated[port] = true
		return port, true
	}
	return 0, false
}

func portAvailable(port int, host string) bool {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// allHelp makes TensorBoard print all its options.
const allHelp = "--helpfull" //nolint:misspell // TensorBoard spells it so

// tensorboardScript supports both major versions of TensorBoard. Version 2 accepts
// names in --logdir_spec, and requires a flag to listen on all addresses. Version
// 1 accepts names in --logdir, and always listens on all addresses.
func tensorboardScript(names, dirs []string, port int, listen string) string {
	rest, everywhere := " --port "+strconv.Itoa(port), " --bind_all"
	if listen != "" {
		rest, everywhere = rest+" --host "+shellquote.Quote(listen), ""
	}
	if len(dirs) == 1 {
		names, dirs = nil, []string{shellquote.Quote(dirs[0])}
	}
	option, all := "--logdir", dirs[0]
	if names != nil {
		var named []string
		for i := range names {
			named = append(named, names[i]+":"+dirs[i])
		}
		option, all = "--logdir_spec", shellquote.Quote(strings.Join(named, ","))
	}
	return "case \"$(tensorboard " + allHelp + " 2>&1 || :)\" in\n" +
		"*--logdir_spec*) exec tensorboard " + option + " " + all + rest + everywhere + " ;;\n" +
		"*) exec tensorboard --logdir " + all + rest + " ;;\n" +
		"esac"
}
