# A limit for the run time of tasks with GPUs.

variable "max_hours" {
  type        = number
  description = "Hours that a task with GPUs may run."
  default     = 72
}

policy "run_time" {
  for_each  = task_roles
  when      = each.value.gpu > 0 && each.change.action != "no-op"
  condition = each.value.max_run_seconds > 0 && each.value.max_run_seconds <= var.max_hours * 3600
  message   = "Task role ${each.value.name} holds GPUs for longer than ${var.max_hours} hours. Set max_run_time."
  field     = "max_run_time"
}
