// SPDX-License-Identifier: MPL-2.0

package parity

import (
	"slices"
	"testing"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/policytest"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/policy"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/provider"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// counterparts maps entries of the openpai CLI to entries that the provider
// reports instead. The entries differ because Terraform users fix the problem
// differently.
var counterparts = map[string]string{
	hclspec.ItemsNotInitialized.Code: provider.ItemNeedsDataSource.Code,
}

func counterpart(code string) string {
	if other, ok := counterparts[code]; ok {
		return other
	}
	return code
}

// group is a list of entries that only one front end can report.
type group struct {
	reason  string
	entries []*hclspec.Entry
}

var groups = []group{
	{"HCL as a language: Terraform reads its own files", []*hclspec.Entry{
		syntax.InvalidSyntax, syntax.InvalidExpression, syntax.UnknownReference, syntax.ShellVariable, syntax.ReferenceCycle,
		syntax.ReferencesTooDeep, hclspec.ResultTooLarge, syntax.TooManyRounds, syntax.SecretChanged, syntax.SecretNotFromVariable,
		syntax.InvalidForEach, syntax.NestingTooDeep, syntax.HeredocTooLong, syntax.ExpressionTooLong, syntax.NotUTF8,
		syntax.SourceTooLarge, syntax.UnknownBlock, syntax.WrongLabels, syntax.MissingBlock,
		hclspec.InvalidModuleSource, syntax.ModuleForbiddenBlock, syntax.ModuleCycle, syntax.ModuleLimit,
		workspace.ModuleNotInitialized, workspace.ModuleLockMismatch, workspace.ModuleUnavailable, // Terraform has its own modules
	}},
	{"variables and moved blocks: Terraform has its own", []*hclspec.Entry{
		syntax.InvalidVariableValue, hclspec.MissingVariableValue, syntax.UndeclaredVariable, syntax.VariableNotValid,
		syntax.InvalidValidation, syntax.SensitiveNotText, workspace.InvalidVariableArgument, syntax.InvalidAddress, planner.MovedStillDeclared,
	}},
	{"files of a workspace: Terraform reads its own files", []*hclspec.Entry{
		workspace.NotFound, hclspec.WorkspaceEmpty, workspace.UnknownFileKind, hclspec.UnreadableFile, workspace.FileTooLarge,
		workspace.FileOutsideWorkspace, workspace.NotAJobFile, workspace.InvalidRequiredVersion, workspace.UnsupportedVersion,
	}},
	{"all jobs of a workspace and all its clusters: Terraform plans one resource of one provider block at a time", []*hclspec.Entry{
		planner.SameFramework, hclspec.UnknownCluster,
	}},
	{"files with saved plans: Terraform has its own", []*hclspec.Entry{
		operation.SavedPlanTampered, operation.SavedPlanVersion, operation.SavedPlanExpired, operation.SavedPlanWorkspace,
		operation.SavedPlanApplied, operation.SavedPlanForgotten, operation.SavedPlanStale, operation.SavedPlanSuperseded, operation.SavedPlanSecret,
	}},
	{"policies of a workspace: Terraform reads the policies of a directory, see TestAPolicyDeniesAJob of the provider", []*hclspec.Entry{
		policy.Denied, policy.Warned, policy.NotEvaluated, workspace.PolicyDirectory, policytest.InvalidTest,
	}},
	{"protocol YAML: Terraform reads it with a data source or function", []*hclspec.Entry{
		protocol.InvalidYAML, protocol.YAMLTooLarge, protocol.MultipleDocuments, protocol.DuplicateKey, protocol.UnsupportedYAML,
		protocol.UnquotedPlaceholder, protocol.QuotedPlaceholder, protocol.UnknownKey, protocol.IgnoredKey, protocol.WrongYAMLType,
		protocol.MissingKey, protocol.EmptyValue, protocol.AmbiguousScalar, protocol.NumericVersion, protocol.URIList, protocol.NullValue, protocol.DraftSpelling,
		protocol.MaskedSecrets, hclspec.MaskedSecret, protocol.UnsupportedProtocolVersion, protocol.NotAProtocolFile, protocol.JobFragment,
		protocol.LegacyRenamed, protocol.LegacyNoEqual, protocol.LegacyUnresolved, protocol.LegacyUnsupportedURI, protocol.LegacyDirectory,
		resolve.UnresolvedImported, resolve.UnknownSecretImported, resolve.PrerequisiteEnabled, hclspec.OlderEventName, resolve.DefaultStoragesUnknown, protocol.NumberSpelling, hclspec.DeploymentRoleIgnored,
		resolve.IgnoredPluginParameter, protocol.LegacyNeedsHDFS, hclspec.UppercaseImageImported,
	}},
	{"writing protocol YAML: a command, and a function of the provider", []*hclspec.Entry{
		protocol.NotInProtocol, protocol.CallbacksIgnored, protocol.URINotRendered, protocol.UnknownInWorkspace, cli.RuntimeImageOmitted,
	}},
	{"the lock file and marketplaces: commands, and data sources of the provider", []*hclspec.Entry{
		lockfile.InvalidLockFile, hclspec.LockMismatch, workspace.ItemMoved, cli.ImageDigestUnknown, cli.DownloadDigestUnknown,
		marketplace.InvalidItemReference, hclspec.ItemNotFound, marketplace.AmbiguousItem, hclspec.ItemNotPrerequisite, hclspec.ItemNotAJob,
		hclspec.MarketplaceUnreachable, hclspec.MarketplaceNotPermitted, hclspec.ItemNotParseable, hclspec.ItemTooLarge, marketplace.UnsafeItem,
		marketplace.InvalidMarketplaceSource, hclspec.MarketplaceInCluster, marketplace.PublishedVersionDiffers, marketplace.ItemVersionMissing,
		marketplace.ItemHoldsSecret, hclspec.CannotPublish, hclspec.MarketplaceSource, hclspec.ItemUnavailable,
	}},
	{"arguments of commands", []*hclspec.Entry{
		cli.UnknownJob, cli.InvalidRun, cli.NoRuns, planner.UnknownAddress, hclspec.InvalidMarketplaceArgument, workspace.InvalidStorageArgument,
	}},
	{"resources, data sources and actions of Terraform", []*hclspec.Entry{
		shape.InvalidJSON, provider.InvalidDefinition, provider.TwoDefinitions, provider.UnknownTaskRoleInOrder, provider.ItemNeedsDataSource,
		provider.JobExists, provider.StorageExists, provider.DeclaredElsewhere, provider.SameJob, provider.NoSuchJob, provider.NothingToImport, provider.SecretsLeftOut, provider.TwoClusters, provider.MixedAccess, provider.InvalidAccess, provider.DirectoryNotFound, provider.FileOrContent,
		provider.NotOpenPAIJob, provider.UnknownTaskRole,
	}},
}

// oneSided returns why only one front end can report an entry, or "" if both can.
func oneSided(code string) string {
	for _, g := range groups {
		if slices.ContainsFunc(g.entries, func(e *hclspec.Entry) bool { return e.Code == code }) {
			return g.reason
		}
	}
	return ""
}

func TestEveryEntryIsInOneGroupAtMost(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range groups {
		for _, e := range g.entries {
			if seen[e.Code] {
				t.Errorf("%s is listed twice", e.Code)
			}
			seen[e.Code] = true
		}
	}
}

// TestBothFrontEndsHaveARemedy checks that an entry has a remedy in both front ends
// or in neither. It ignores entries that only one front end reports.
func TestBothFrontEndsHaveARemedy(t *testing.T) {
	t.Parallel()
	for _, e := range hclspec.Catalog() {
		commandLine, terraform := cli.Remedy(e.Code) != "", provider.Remedy(e.Code) != ""
		if oneSided(e.Code) == "" && counterpart(e.Code) == e.Code && commandLine != terraform {
			t.Errorf("%s: the command line has a remedy: %t, the provider: %t", e.Code, commandLine, terraform)
		}
	}
}

func TestRemediesAreForEntriesOfTheCatalog(t *testing.T) {
	t.Parallel()
	for _, code := range slices.Concat(cli.Remedies(), provider.Remedies()) {
		if !slices.ContainsFunc(hclspec.Catalog(), func(e *hclspec.Entry) bool { return e.Code == code }) {
			t.Errorf("the catalog has no entry %s", code)
		}
	}
}
