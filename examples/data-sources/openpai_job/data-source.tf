data "openpai_job" "train" {
  name = "train"
}

output "exit_code" {
  value = data.openpai_job.train.exit_code
}
