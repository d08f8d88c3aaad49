action "openpai_job_rescale" "train" {
  config {
    name      = "train"
    task_role = "worker"
    instances = 4
  }
}
