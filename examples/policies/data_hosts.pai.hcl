# Hosts that data and code may come from.

variable "hosts" {
  type        = list(string)
  description = "Hosts that tasks may download from."
  default     = ["data.example.com", "github.com"]
}

policy "data_hosts" {
  for_each = prerequisites
  when     = each.value.type != "dockerimage" && each.change.action != "no-op"
  condition = alltrue([
    for url in concat(each.value.uri, [for f in each.value.fetch : f.url]) :
    !strcontains(url, ":") || contains(var.hosts, try(lower(regex("^(?i:[a-z+]+::)?(?i:[a-z0-9+]+)://(?:[^@/?#]*@)?([^@:/?#]+)", url)[0]), ""))
  ])
  message = "${each.value.address} downloads from a host that is not permitted. Permitted: ${join(", ", var.hosts)}."
  field   = "uri"
}
