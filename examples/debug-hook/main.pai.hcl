# The third example of the Marketplace specification, with fixes: a job that fails,
# and a hook that holds its failed task.
#
#     openpai init examples/debug-hook
#     openpai run --var minutes=1 examples/debug-hook
#
# While the hook holds the task, "openpai status" shows HELD. This command opens a
# shell in the task:
#
#     openpai exec -t job.debug_hook taskrole:0 -- bash
#
# "openpai release job.debug_hook" ends the hold. The exit code is the exit code of
# the job, 7.

marketplace "examples" {
  source = "../marketplace"
}

variable "minutes" {
  type    = number
  default = 30
}

prerequisite "dockerimage" "docker_image_0" {
  uri = "openpai/standard:python_3.6-pytorch_1.2.0-gpu" # not used by the local cluster
}

job "debug_hook" {
  task_role "taskrole" {
    image         = prerequisite.dockerimage.docker_image_0
    prerequisites = [{ use = "marketplace://name/debug_hook", with = { min = var.minutes } }]

    # In the specification, the command is "sleep 0s". It succeeds, so the hook
    # never runs.
    commands = ["echo 'this went wrong'", "exit 7"]

    resources {
      gpu       = 0 # 1 in the specification; this example needs no GPU
      cpu       = 1
      memory_mb = 128
    }
    completion {
      min_failed_instances = 1
    }
  }
}
