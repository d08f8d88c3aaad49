locals {
  job = provider::openpai::parse_protocol(<<-EOT
    protocolVersion: 2
    name: hello
    type: job
    prerequisites:
      - { name: shell, type: dockerimage, uri: "busybox:1.36" }
    taskRoles:
      worker:
        dockerImage: shell
        resourcePerInstance: { gpu: 0, cpu: 1, memoryMB: 64 }
        commands: ["echo hello"]
  EOT
  )
}

resource "openpai_job" "hello" {
  name          = local.job.name
  prerequisites = local.job.prerequisites
  task_roles    = local.job.task_roles
}
