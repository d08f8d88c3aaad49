action "openpai_job_stop" "train" {
  config {
    name = "train"
  }
}
