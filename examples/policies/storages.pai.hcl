# The storages that tasks may mount.

variable "servers" {
  type        = list(string)
  description = "NFS servers that tasks may mount."
  default     = ["files.example.com"]
}

policy "storages" {
  for_each  = storages
  condition = each.value.kind == "claim" || each.value.kind == "nfs" && contains(var.servers, each.value.server)
  message   = "The storage ${each.value.name} (${each.value.kind}) is not permitted. Use a claim, or a share of ${join(", ", var.servers)}."
}
