output "framework_name" {
  value = provider::openpai::framework_name("alice", "hello")
}
