# A repository of experiments: data with its hash, a locked marketplace item, a
# module that every job uses, a sweep, a policy, and a record of every run.
# README.md explains it step by step.

openpai {
  workspace = "experiments"

  # Each run adds a file to this directory. Commit these files.
  run_records = "runs"
}

marketplace "items" {
  source = "./items"
}

variable "rate" {
  type        = string
  default     = "0.05"
  description = "Learning rate of the trial."
}

prerequisite "data" "points" {
  fetch {
    url    = "points.csv"
    sha256 = "750cf40d5ad3a43b0f983b5ca693652d72d56e083e4d122ae07e6e1848a06e0f"
    to     = "points.csv"
  }
}

locals {
  # Two learning rates, each for 5 and 50 rounds.
  grid = { for p in setproduct(["0.01", "0.05"], [5, 50]) : "rate${p[0]}-${p[1]}" => { rate = p[0], rounds = p[1] } }
}

module "grid" {
  source   = "./modules/fit"
  for_each = local.grid

  variables = {
    data   = prerequisite.data.points
    rate   = each.value.rate
    rounds = each.value.rounds
  }
}

module "trial" {
  source = "./modules/fit"

  variables = {
    data = prerequisite.data.points
    rate = var.rate
  }
}

policy "size" {
  for_each  = task_roles
  condition = each.value.cpu <= 4
  message   = "Task role ${each.value.name} requests ${each.value.cpu} CPUs. Experiments may request at most 4."
  field     = "resources.cpu"
}
