output "manifest" {
  value = provider::openpai::render_framework({
    name = "hello"
    task_roles = {
      worker = {
        image     = "busybox:1.36"
        commands  = ["echo hello"]
        resources = { gpu = 0, cpu = 1, memory_mb = 64 }
      }
    }
    }, {
    user          = "alice"
    workspace     = "team"
    namespace     = "default"
    profile       = "standard"
    runtime_image = "registry.example.org/openpai-runtime:0.1.0"
  })
}
