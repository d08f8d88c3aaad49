# A task that fails is kept for some minutes, so that somebody can look into
# its container. A job that is stopped is not held.

terraform {
  required_providers {
    openpai = {
      source = "openpai/openpai"
    }
  }
}

variable "minutes" {
  type        = number
  description = "How long a failed task is kept."
  default     = 30
}

resource "openpai_prerequisite" "debug_hook" {
  type               = "script"
  name               = "debug_hook"
  template_variables = { min = {} }
  callbacks = [{
    event    = "taskFails"
    timeout  = "{{ min }}m5s" # a little later than the end of the sleep; status shows the time left
    commands = ["echo \"exit code $PAI_EXIT_CODE; this task stays for {{ min }} minutes\"", "sleep $(({{ min }} * 60))"]
  }]
}

resource "openpai_job" "debug" {
  name     = "debug"
  wait_for = "completed"

  task_roles = {
    worker = {
      image         = "openpai/standard:python_3.6-pytorch_1.2.0-gpu"
      prerequisites = [{ use = openpai_prerequisite.debug_hook.definition, with = { min = var.minutes } }]
      commands      = ["echo training", "exit 3"]
      resources     = { gpu = 0, cpu = 1, memory_mb = 512 }
    }
  }
}

output "state" {
  value = openpai_job.debug.state
}

output "exit_code" {
  value = openpai_job.debug.exit_code
}
