data "openpai_jobs" "failed" {
  states = ["FAILED"]
}

output "failed" {
  value = data.openpai_jobs.failed.jobs[*].name
}
