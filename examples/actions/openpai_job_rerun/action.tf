action "openpai_job_rerun" "train" {
  config {
    name = "train"
  }
}
