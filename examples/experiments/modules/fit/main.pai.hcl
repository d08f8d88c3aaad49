# Fits a line to the points of a CSV file. The root calls this module once for each
# job of the sweep, and once for trials.

variable "data" {} # a prerequisite, so it has no type

variable "rate" {
  type        = string
  description = "Learning rate."
}

variable "rounds" {
  type        = number
  default     = 5
  description = "Passes over the data."
}

job "fit" {
  task_role "learner" {
    image       = "busybox"
    data        = var.data
    script      = "marketplace://script/descend"
    environment = { RATE = var.rate, ROUNDS = var.rounds }
    commands    = ["sh \"$DESCEND\" points.csv"]

    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
