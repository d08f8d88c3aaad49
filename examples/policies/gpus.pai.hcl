# The part of a virtual cluster that one workspace may use.

variable "max_gpus" {
  type        = map(number)
  description = "GPUs that one workspace may use, by virtual cluster."
  default     = { default = 8 }
}

policy "gpus_per_virtual_cluster" {
  for_each = plan
  condition = alltrue([
    for vc in distinct([for r in plan.resources : r.virtual_cluster]) :
    sum([for r in plan.resources : r.after.gpus if r.virtual_cluster == vc]) <= lookup(var.max_gpus, vc, 0)
  ])
  message = join(" ", [
    for vc in distinct([for r in plan.resources : r.virtual_cluster]) :
    "The workspace uses ${sum([for r in plan.resources : r.after.gpus if r.virtual_cluster == vc])} GPUs of the virtual cluster ${vc}, and may use ${lookup(var.max_gpus, vc, 0)}."
    if sum([for r in plan.resources : r.after.gpus if r.virtual_cluster == vc]) > lookup(var.max_gpus, vc, 0)
  ])
}
