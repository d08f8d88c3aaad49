# The items that jobs may use, each in a reviewed version. The files are in the
# directory catalog, so this repository contains every change of an item.
variable "catalog" {
  description = "Versions of the items, by name."
  type        = map(string)
  default = {
    digits   = "1.2"
    progress = "1.0"
  }
}

data "openpai_marketplace_item" "catalog" {
  for_each = var.catalog

  source       = "${path.module}/catalog"
  name         = each.key
  item_version = each.value
}

# The prerequisite that every job of the platform runs first.
resource "openpai_prerequisite" "limits" {
  type = "script"
  name = "limits"

  callbacks = [{
    event    = "taskStarts"
    commands = ["ulimit -n 65536 || true"]
  }]
}
