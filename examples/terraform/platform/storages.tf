variable "storages" {
  description = "Exports of the file server, by the name that jobs use. With keep = true, destroy keeps the volume and the claim; it never deletes files of the export."
  type        = map(object({ path = string, size = string, keep = optional(bool, false) }))
  default = {
    datasets    = { path = "/exports/datasets", size = "1Ti" }
    checkpoints = { path = "/exports/checkpoints", size = "200Gi" }
  }
}

resource "openpai_storage" "shared" {
  for_each = var.storages

  name       = each.key
  nfs        = { server = "nfs.example.org", path = each.value.path }
  size       = each.value.size
  on_destroy = each.value.keep ? "keep" : "delete"
}
