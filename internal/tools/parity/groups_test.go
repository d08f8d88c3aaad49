package parity

import (
	"slices"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// counterparts are entries that have another name in Terraform because the user
// does something else about them.
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
		hclspec.InvalidSyntax, hclspec.InvalidExpression, hclspec.UnknownReference, hclspec.ShellVariable, hclspec.ReferenceCycle,
		hclspec.ReferencesTooDeep, hclspec.ResultTooLarge, hclspec.TooManyRounds, hclspec.SecretChanged, hclspec.SecretNotFromVariable,
		hclspec.InvalidForEach, hclspec.NestingTooDeep, hclspec.HeredocTooLong, hclspec.ExpressionTooLong, hclspec.NotUTF8,
		hclspec.SourceTooLarge, hclspec.UnknownBlock, hclspec.WrongLabels, hclspec.MissingBlock,
	}},
	{"variables and moved blocks: Terraform has its own", []*hclspec.Entry{
		hclspec.InvalidVariableValue, hclspec.MissingVariableValue, hclspec.UndeclaredVariable, hclspec.VariableNotValid,
		hclspec.InvalidValidation, hclspec.SensitiveNotText, hclspec.InvalidVariableArgument, hclspec.InvalidAddress, hclspec.MovedStillDeclared,
	}},
	{"files of a workspace: Terraform reads its own files", []*hclspec.Entry{
		hclspec.WorkspaceNotFound, hclspec.WorkspaceEmpty, hclspec.UnknownFileKind, hclspec.UnreadableFile, hclspec.FileTooLarge,
		hclspec.FileOutsideWorkspace, hclspec.NotAJobFile, hclspec.InvalidRequiredVersion, hclspec.UnsupportedVersion,
	}},
	{"all jobs of a workspace and all its clusters: Terraform plans one resource of one provider block at a time", []*hclspec.Entry{
		hclspec.SameFramework, hclspec.UnknownCluster,
	}},
	{"protocol YAML: Terraform reads it with a data source or function", []*hclspec.Entry{
		hclspec.InvalidYAML, hclspec.YAMLTooLarge, hclspec.MultipleDocuments, hclspec.DuplicateKey, hclspec.UnsupportedYAML,
		hclspec.UnquotedPlaceholder, hclspec.QuotedPlaceholder, hclspec.UnknownKey, hclspec.IgnoredKey, hclspec.WrongYAMLType,
		hclspec.MissingKey, hclspec.EmptyValue, hclspec.AmbiguousScalar, hclspec.NumericVersion, hclspec.URIList, hclspec.NullValue, hclspec.DraftSpelling,
		hclspec.MaskedSecrets, hclspec.MaskedSecret, hclspec.UnsupportedProtocolVersion, hclspec.NotAProtocolFile, hclspec.JobFragment,
		hclspec.LegacyRenamed, hclspec.LegacyNoEqual, hclspec.LegacyUnresolved, hclspec.LegacyUnsupportedURI, hclspec.LegacyDirectory,
		hclspec.UnresolvedImported, hclspec.UnknownSecretImported, hclspec.OlderEventName, hclspec.DefaultStoragesUnknown, hclspec.NumberSpelling, hclspec.DeploymentRoleIgnored,
		hclspec.IgnoredPluginParameter, hclspec.LegacyNeedsHDFS,
	}},
	{"writing protocol YAML: a command, and a function of the provider", []*hclspec.Entry{
		hclspec.NotInProtocol, hclspec.CallbacksIgnored, hclspec.URINotRendered, hclspec.UnknownInWorkspace, hclspec.RuntimeImageOmitted,
	}},
	{"the lock file and marketplaces: commands, and data sources of the provider", []*hclspec.Entry{
		hclspec.InvalidLockFile, hclspec.LockMismatch, hclspec.ItemMoved, hclspec.ImageDigestUnknown, hclspec.DownloadDigestUnknown,
		hclspec.InvalidItemReference, hclspec.ItemNotFound, hclspec.AmbiguousItem, hclspec.ItemNotPrerequisite, hclspec.ItemNotAJob,
		hclspec.MarketplaceUnreachable, hclspec.MarketplaceNotPermitted, hclspec.ItemNotParseable, hclspec.ItemTooLarge, hclspec.UnsafeItem,
		hclspec.InvalidMarketplaceSource, hclspec.MarketplaceInCluster, hclspec.PublishedVersionDiffers, hclspec.ItemVersionMissing,
		hclspec.ItemHoldsSecret, hclspec.CannotPublish, hclspec.MarketplaceSource, hclspec.ItemUnavailable,
	}},
	{"arguments of commands", []*hclspec.Entry{
		hclspec.UnknownJob, hclspec.UnknownPlanAddress, hclspec.InvalidMarketplaceArgument, hclspec.InvalidStorageArgument,
	}},
	{"resources, data sources and actions of Terraform", []*hclspec.Entry{
		shape.InvalidJSON, provider.InvalidDefinition, provider.TwoDefinitions, provider.UnknownTaskRoleInOrder, provider.ItemNeedsDataSource,
		provider.JobExists, provider.SameJob, provider.NoSuchJob, provider.NothingToImport, provider.SecretsLeftOut, provider.TwoClusters, provider.FileOrContent,
		provider.NotOpenPAIJob, provider.UnknownTaskRole,
	}},
}

// oneSided returns why only one front end can report an entry; "" when both can.
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
