# Tasks with more privileges than a default container.

variable "service_accounts" {
  type        = list(string)
  description = "ServiceAccounts that tasks may use."
  default     = []
}

policy "no_root" {
  for_each  = task_roles
  condition = alltrue([for p in [each.value.pod, each.change.job.pod] : try(p.run_as_user, null) != 0])
  message   = "Task role ${each.value.name} runs as root. Choose another run_as_user."
  field     = "pod.run_as_user"
}

policy "privileged" {
  for_each = task_roles
  condition = !each.value.infiniband && alltrue([
    for p in [each.value.pod, each.change.job.pod] :
    p == null || contains(concat([""], var.service_accounts), try(p.service_account, ""))
  ])
  message = "Task role ${each.value.name} asks for InfiniBand devices or a ServiceAccount. Ask the administrators of the cluster."
}
