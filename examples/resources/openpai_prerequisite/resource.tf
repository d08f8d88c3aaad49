resource "openpai_prerequisite" "tools" {
  type      = "script"
  name      = "tools"
  callbacks = [{ event = "taskStarts", commands = ["pip install --quiet tqdm"] }]
}

# Runs before every task that uses it, after its requirements.
resource "openpai_prerequisite" "covid" {
  type               = "data"
  name               = "covid"
  require            = [{ use = openpai_prerequisite.tools.definition }]
  template_variables = { dataPath = { default = "/dataset/covid" } }
  callbacks = [
    {
      event    = "taskStarts"
      commands = ["git clone --depth 1 https://example.org/covid.git {{ dataPath }}", "export COVID={{ dataPath }}"]
      retry    = { attempts = 3, backoff = "10s" }
    },
    { event = "taskFails", commands = ["ls -lR {{ dataPath }}"], failure_policy = "ignore" },
  ]
}
