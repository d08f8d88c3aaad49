output "export_protocol" {
  value = provider::openpai::export_protocol({
    name = "hello"
    task_roles = {
      worker = {
        image     = "busybox:1.36"
        commands  = ["echo hello"]
        resources = { gpu = 0, cpu = 1, memory_mb = 64 }
      }
    }
  })
}
