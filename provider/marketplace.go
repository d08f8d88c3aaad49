package provider

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// marketplaceName is the name of the one marketplace of a resource or data source.
const marketplaceName = "source"

// kubernetesScheme begins the source that is the cluster of the provider block. What
// follows is a namespace, that of the cluster when nothing does.
const kubernetesScheme = "kubernetes://"

// itemsInCluster opens the items of the cluster.
func (c *connection) itemsInCluster(m *hclspec.Marketplace) (marketplace.Source, error) {
	if c.Unknown {
		return nil, errUnknown
	}
	return kubernetes.OpenItems(c.workspaceOf(nil), m)
}

// openMarketplace opens a source of items. tokenEnv names the environment variable
// that holds its credential: a value would be kept in the state.
func (c *connection) openMarketplace(source, tokenEnv string) (*marketplace.Set, *hclspec.Marketplace) {
	dir := c.Directory
	if dir == "" {
		dir = "."
	}
	m := &hclspec.Marketplace{Name: marketplaceName, Path: "source", Source: source}
	if namespace, ok := strings.CutPrefix(source, kubernetesScheme); ok {
		m.Kubernetes = &hclspec.KubernetesMarketplace{Namespace: namespace}
	}
	set := marketplace.NewSet([]*hclspec.Marketplace{m}, marketplace.Options{
		Dir: dir, Environ: os.Environ(), Kubernetes: c.itemsInCluster,
		Token: func(*hclspec.Marketplace) (string, error) {
			if tokenEnv == "" {
				return "", nil
			}
			token := os.Getenv(tokenEnv)
			if token == "" {
				return "", fmt.Errorf("the environment variable %s is not set", tokenEnv)
			}
			return token, nil
		},
	})
	return set, m
}

// itemDefinition returns an item with all that it requires as the definition
// that jobs refer to.
func itemDefinition(ctx context.Context, set *marketplace.Set, reference string) (*definition, error) {
	closure := set.Closure(ctx, []string{reference}, marketplace.Prerequisite, func(string) (*marketplace.Known, error) { return nil, nil })
	var failed []error
	for _, f := range closure.Failures {
		if f.By == "" {
			failed = append(failed, f.Err)
			continue
		}
		failed = append(failed, fmt.Errorf("%s requires %s: %w", f.By, f.Reference, f.Err))
	}
	if failed != nil {
		return nil, errors.Join(failed...)
	}
	b := &bodyBuilder{closure: closure, keys: map[string]string{}, bodies: bodies{}}
	key, err := b.add(closure.References[reference])
	if err != nil {
		return nil, err
	}
	return &definition{Use: key, Prerequisites: b.bodies}, nil
}

// bodyBuilder turns the items of a closure into bodies of a definition.
type bodyBuilder struct {
	closure *marketplace.Closure
	keys    map[string]string // of items that are done, by address
	bodies  bodies
	stack   []string
}

// add makes the body of an item after those of what it requires.
func (b *bodyBuilder) add(address string) (string, error) {
	if key, done := b.keys[address]; done {
		return key, nil
	}
	if slices.Contains(b.stack, address) {
		return "", fmt.Errorf("%s requires itself", address)
	}
	b.stack = append(b.stack, address)
	defer func() { b.stack = b.stack[:len(b.stack)-1] }()
	found := b.closure.Item(address)
	if found == nil || found.Prerequisite == nil {
		return "", fmt.Errorf("%s is no prerequisite", address)
	}
	p := *found.Prerequisite
	p.Require = slices.Clone(p.Require)
	for i, ref := range p.Require {
		target, ok := b.closure.Siblings[address][ref.Target]
		if !ok {
			target = b.closure.References[ref.Target]
		}
		key, err := b.add(target)
		if err != nil {
			return "", err
		}
		p.Require[i].Target = key
	}
	body := shape.MarshalTree(prerequisiteObject.Encode(&p))
	key := hashedKey(p.Address(), body)
	b.keys[address], b.bodies[key] = key, body
	return key, nil
}
