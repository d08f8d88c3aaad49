package message

// Command is an action of the user, which each front end calls by the name of
// its own command.
type Command string

// The commands.
const (
	CommandInit                   Command = "init"
	CommandLogs                   Command = "logs"
	CommandManifests              Command = "manifests"
	CommandPriorityClassManifests Command = "priority-class-manifests"
	CommandPushRuntime            Command = "push-runtime"
)

// Commands lists every command, for the tests of the front ends.
func Commands() []Command {
	return []Command{
		CommandInit, CommandLogs,
		CommandManifests, CommandPriorityClassManifests, CommandPushRuntime,
	}
}

// Fact marks a command as a fact.
func (Command) Fact() {}

func (c Command) String() string { return string(c) }
