# Holds a failed task for some minutes, so that a user can inspect its container. A
# stopped job is not held.

terraform {
  required_providers {
    openpai = {
      source = "openpai/openpai"
    }
  }
}

variable "minutes" {
  type        = number
  description = "How long to hold a failed task."
  default     = 30
}

resource "openpai_prerequisite" "debug_hook" {
  type               = "script"
  name               = "debug_hook"
  template_variables = { min = {} }
  callbacks = [{
    event    = "taskFails"
    timeout  = "{{ min }}m5s" # a few seconds after the end of the sleep; status shows the remaining time
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
