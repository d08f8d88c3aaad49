// SPDX-License-Identifier: MPL-2.0

package cli

import "github.com/spf13/cobra"

// cobraTexts contains the help of the commands that cobra adds: cobra's own help has no
// examples.
var cobraTexts = map[string]struct{ short, long string }{
	"help": {"Print the help of a command", `
		Print the help of a command.

		    openpai help run
		    openpai help marketplace publish`},
	"completion": {"Print a completion script for a shell", `
		Print a script that completes commands and flags in a shell. The help of each
		subcommand describes how to install the script.

		    openpai completion bash
		    openpai completion zsh`},
	"bash": {"Print the completion script for bash", `
		Print the completion script for bash. The script requires the bash-completion
		package. These commands enable completion in the current shell, in each new
		shell on Linux, and in each new shell on macOS:

		    source <(openpai completion bash)
		    openpai completion bash >/etc/bash_completion.d/openpai
		    openpai completion bash >$(brew --prefix)/etc/bash_completion.d/openpai`},
	"zsh": {"Print the completion script for zsh", `
		Print the completion script for zsh. The script needs compinit. These commands
		enable completion in the current shell, in each new shell on Linux, and in each
		new shell on macOS:

		    source <(openpai completion zsh)
		    openpai completion zsh >"${fpath[1]}/_openpai"
		    openpai completion zsh >$(brew --prefix)/share/zsh/site-functions/_openpai`},
	"fish": {"Print the completion script for fish", `
		Print the completion script for fish. These commands enable completion in the
		current shell, and in each new shell:

		    openpai completion fish | source
		    openpai completion fish >~/.config/fish/completions/openpai.fish`},
	"powershell": {"Print the completion script for PowerShell", `
		Print the completion script for PowerShell. These commands enable completion in
		the current shell, and in each new shell:

		    openpai completion powershell | Out-String | Invoke-Expression
		    openpai completion powershell >>$PROFILE`},
}

// describeCobraCommands adds the commands that cobra otherwise adds later, and
// replaces their help.
func describeCobraCommands(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Run, c.RunE = nil, printHelpOf
		case "completion":
			c.Args, c.RunE = noSubcommand, printHelp
		default:
			continue
		}
		describe(c)
		for _, shell := range c.Commands() {
			describe(shell)
		}
	}
}

// printHelpOf prints the help of the command that the arguments name.
func printHelpOf(help *cobra.Command, args []string) error {
	cmd, rest, err := help.Root().Find(args)
	if err == nil && len(rest) > 0 {
		err = noSubcommand(cmd, rest)
	}
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	return cmd.Help()
}

func describe(c *cobra.Command) {
	text := cobraTexts[c.Name()]
	c.Short, c.Long = text.short, dedent(text.long)
	if f := c.Flags().Lookup("no-descriptions"); f != nil {
		f.Usage = "omit the descriptions of commands and flags"
	}
}
