data "openpai_cluster" "here" {}

check "cluster" {
  assert {
    condition     = data.openpai_cluster.here.ready
    error_message = "The cluster does not meet these requirements: ${join("; ", [for c in data.openpai_cluster.here.checks : "${c.check}: ${c.found}" if c.result == "missing"])}"
  }
}
