# Jobs that differ in a few values: a grid of all combinations, and a list of selected
# combinations. Each is a separate job with separate logs and results:
#
#     openpai run examples/sweep
#     openpai status examples/sweep
#     openpai runs examples/sweep      # lists the loss of each run
#     openpai run examples/sweep --job 'job.grid["*-8"]' --var epochs=20 --auto-approve

variable "epochs" {
  type        = number
  default     = 5
  description = "Rounds over the data."
}

locals {
  # All combinations of a learning rate and a batch size, each with a distinct name.
  grid = { for p in setproduct(["0.1", "0.01"], ["4", "8"]) : "lr${p[0]}-${p[1]}" => { lr = p[0], batch = p[1] } }

  # Selected combinations: one line per job.
  chosen = { for row in csvdecode(file("chosen.csv")) : row.name => row }
}

prerequisite "script" "learn" {
  callback "taskStarts" {
    commands = [file("learn.sh")]
  }
}

job "grid" {
  for_each   = local.grid
  name       = "grid-${replace(each.key, ".", "_")}"
  parameters = each.value

  task_role "learner" {
    image    = "busybox"
    script   = prerequisite.script.learn # starts: it has a callback
    commands = ["awk -v lr=<% $parameters.lr %> -v batch=<% $parameters.batch %> -v epochs=${var.epochs} -f \"$LEARN\""]

    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}

job "chosen" {
  for_each   = local.chosen
  name       = "chosen-${each.key}"
  parameters = { lr = each.value.lr, batch = each.value.batch }

  task_role "learner" {
    image    = "busybox"
    script   = prerequisite.script.learn
    commands = ["awk -v lr=<% $parameters.lr %> -v batch=<% $parameters.batch %> -v epochs=${var.epochs} -f \"$LEARN\""]

    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
