list "openpai_job" "running" {
  provider = openpai

  config {
    states = ["RUNNING"]
  }
}
