// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"strconv"
	"strings"
)

// moduleKind is the keyword before each module name in an address.
const moduleKind = "module"

// ModuleAddress returns the address of a module. outer is the address of the
// calling module, or "" for the root. name is the name in the module block.
// key is the key of a for_each instance, or "".
func ModuleAddress(outer Address, name, key string) Address {
	address := NewAddress(moduleKind, name)
	if key != "" {
		address += Address("[" + strconv.Quote(key) + "]")
	}
	return address.In(outer)
}

// In returns the absolute address for an address that is relative to a
// module.
func (a Address) In(module Address) Address {
	if module == "" {
		return a
	}
	return module + "." + a
}

// Split separates the address of the module from the address within the
// module. module is "" for the root. local is "" if the address identifies a
// module.
func (a Address) Split() (module, local Address) {
	rest := string(a)
	for {
		length := moduleLength(rest)
		if length == 0 {
			return Address(strings.TrimSuffix(string(a[:len(a)-len(rest)]), ".")), Address(rest)
		}
		rest = strings.TrimPrefix(rest[length:], ".")
	}
}

// Module returns the module part of an address, "" for the root.
func (a Address) Module() Address {
	module, _ := a.Split()
	return module
}

// Local returns the address without its module part.
func (a Address) Local() Address {
	_, local := a.Split()
	return local
}

// IsModule reports whether an address is the address of a module.
func (a Address) IsModule() bool { return a != "" && a.Local() == "" }

// moduleLength returns the length of a module address at the beginning, such
// as module.x["a"]. Without a module address, it returns 0.
func moduleLength(text string) int {
	name, ok := strings.CutPrefix(text, moduleKind+".")
	if !ok {
		return 0
	}
	end := strings.IndexAny(name, ".[")
	switch {
	case end == 0 || name == "":
		return 0
	case end < 0:
		return len(text)
	}
	end += keyLength(name[end:])
	if end < len(name) && name[end] != '.' {
		return 0
	}
	return len(text) - len(name) + end
}

// keyLength returns the length of an instance key at the beginning. Without a
// key, it returns 0.
func keyLength(text string) int {
	if !strings.HasPrefix(text, `["`) {
		return 0
	}
	quoted, err := strconv.QuotedPrefix(text[1:])
	if err != nil || !strings.HasPrefix(text[1+len(quoted):], "]") {
		return 0
	}
	return len(quoted) + 2
}

// ModuleParts returns the module names in an address. The instance key of a
// module, if any, follows its name.
func (a Address) ModuleParts() []string {
	var parts []string
	steps := Path(a.Module()).steps()
	for i := 0; i+1 < len(steps); {
		parts = append(parts, steps[i+1].text)
		if i += 2; i < len(steps) && steps[i].kind == stepKey {
			parts = append(parts, steps[i].text)
			i++
		}
	}
	return parts
}

// ModuleCall returns the module part of an address without instance keys. All
// instances share this call.
func (a Address) ModuleCall() Address {
	var call Address
	steps := Path(a.Module()).steps()
	for i := 0; i+1 < len(steps); {
		call = ModuleAddress(call, steps[i+1].text, "")
		if i += 2; i < len(steps) && steps[i].kind == stepKey {
			i++
		}
	}
	return call
}

// withoutModule returns the steps after the module address.
func withoutModule(steps []step) []step {
	for len(steps) > 1 && steps[0].kind == stepName && steps[0].text == moduleKind {
		if steps = steps[2:]; len(steps) > 0 && steps[0].kind == stepKey {
			steps = steps[1:]
		}
	}
	return steps
}
