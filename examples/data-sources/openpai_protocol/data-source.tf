data "openpai_protocol" "covid" {
  content = <<-EOT
    protocolVersion: 2
    name: covid
    type: job
    prerequisites:
      - { name: torch, type: dockerimage, uri: "openpai/standard:python_3.6-pytorch_1.2.0-gpu" }
    taskRoles:
      worker:
        instances: 1
        dockerImage: torch
        resourcePerInstance: { gpu: 1, cpu: 3, memoryMB: 29065 }
        commands: ["python train.py"]
  EOT
}

resource "openpai_job" "covid" {
  name          = data.openpai_protocol.covid.job.name
  prerequisites = data.openpai_protocol.covid.job.prerequisites
  task_roles    = data.openpai_protocol.covid.job.task_roles
}

output "warnings" {
  value = data.openpai_protocol.covid.warnings
}
