# The items that jobs may use, each in the version that was reviewed. They are in
# the directory catalogue, so a change of an item is a change of this repository.
variable "catalogue" {
  description = "Versions of the items, by name."
  type        = map(string)
  default = {
    digits   = "1.2"
    progress = "1.0"
  }
}

data "openpai_marketplace_item" "catalogue" {
  for_each = var.catalogue

  source       = "${path.module}/catalogue"
  name         = each.key
  item_version = each.value
}

# What every job of the platform runs first.
resource "openpai_prerequisite" "limits" {
  type = "script"
  name = "limits"

  callbacks = [{
    event    = "taskStarts"
    commands = ["ulimit -n 65536 || true"]
  }]
}
