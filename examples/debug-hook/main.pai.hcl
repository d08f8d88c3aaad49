# The third example of the Marketplace specification, repaired: a job that
# fails, and a hook that keeps its task for a while.
#
#     openpai init examples/debug-hook
#     openpai run --var minutes=1 examples/debug-hook
#
# While it is kept, "openpai status" shows HELD, a shell opens by
#
#     openpai exec -t job.debug_hook taskrole:0 -- bash
#
# and "openpai release job.debug_hook" ends it. The exit code is that of the
# job, 7.

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

    # The specification sleeps for no time and succeeds, so that its hook never
    # runs.
    commands = ["echo 'this went wrong'", "exit 7"]

    resources {
      gpu       = 0 # 1 in the specification; nothing here needs one
      cpu       = 1
      memory_mb = 128
    }
    completion {
      min_failed_instances = 1
    }
  }
}
