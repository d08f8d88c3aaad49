# terraform test needs the variables endpoint, ca_certificate and token of a
# cluster for tests; the first run only plans.

run "plan" {
  command = plan

  assert {
    condition     = length(openpai_job.train) == 12
    error_message = "There must be a job for each of 3 models and 4 folds."
  }

  assert {
    condition     = length(distinct([for job in openpai_job.train : job.name])) == 12
    error_message = "Each job needs its own name."
  }
}

run "another_model" {
  command = plan

  variables {
    models = { linear = 0.1 }
    folds  = 2
  }

  assert {
    condition     = keys(openpai_job.train) == ["linear-0", "linear-1"]
    error_message = "The jobs follow from models and folds."
  }
}

run "apply" {
  assert {
    condition     = alltrue([for job in openpai_job.train : contains(["WAITING", "RUNNING"], job.state)])
    error_message = "Every job must be accepted."
  }

  assert {
    condition = alltrue([
      for job in openpai_job.train :
      can(regex("limits .*unpack.* .*digits.* .*progress", join(" ", job.prerequisite_order["trainer"])))
    ])
    error_message = "Every task starts with the limits, then its data, then the progress."
  }

  assert {
    condition     = length(output.outdated) == 0
    error_message = "A job that was created is not outdated."
  }
}
