data "openpai_cluster" "here" {}

check "cluster" {
  assert {
    condition     = data.openpai_cluster.here.reachable
    error_message = "The cluster does not answer: ${coalesce(data.openpai_cluster.here.problem, "unknown")}"
  }
}
