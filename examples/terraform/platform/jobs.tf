variable "models" {
  description = "Learning rate of each model."
  type        = map(number)
  default     = { linear = 0.1, tree = 0.05, resnet = 0.01 }
}

variable "folds" {
  type    = number
  default = 4
}

locals {
  runs = {
    for pair in setproduct(keys(var.models), range(var.folds)) :
    "${pair[0]}-${pair[1]}" => { model = pair[0], fold = pair[1], rate = var.models[pair[0]] }
  }
}

resource "openpai_job" "train" {
  for_each = local.runs

  name       = "train-${each.key}"
  parameters = { fold = each.value.fold, rate = each.value.rate }
  storage = [
    { use = openpai_storage.shared["datasets"].definition, read_only = true },
    { use = openpai_storage.shared["checkpoints"].definition },
  ]

  task_roles = {
    trainer = {
      image = "registry.example.org/train/${each.value.model}:2026.11"
      prerequisites = [
        { use = openpai_prerequisite.limits.definition },
        { use = data.openpai_marketplace_item.catalog["digits"].definition, with = { path = "data" } },
        { use = data.openpai_marketplace_item.catalog["progress"].definition },
      ]
      commands  = ["python -m train --data data --fold <% $parameters.fold %> --rate <% $parameters.rate %> --out $PAI_STORAGE_CHECKPOINTS/${each.key}"]
      resources = { gpu = 1, cpu = 4, memory_mb = 16384 }
    }
  }
}

output "jobs" {
  description = "Framework of each job."
  value       = { for name, job in openpai_job.train : name => job.framework_name }
}

output "outdated" {
  description = "Jobs that ended and ran content that differs from the current declaration."
  value       = [for name, job in openpai_job.train : name if job.outdated]
}
