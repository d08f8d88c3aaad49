resource "openpai_storage" "nfs" {
  name = "nfs"
  nfs  = { server = "nfs.example.org", path = "/exports/team" }
}

resource "openpai_storage" "adopted" {
  name  = "confignfs"
  claim = "confignfs"
}

resource "openpai_job" "copy" {
  name = "copy"

  task_roles = {
    copy = {
      image     = "busybox:1.36"
      storage   = [{ use = openpai_storage.nfs.definition, mount_path = "/mnt/nfs" }, { use = openpai_storage.adopted.definition, read_only = true }]
      commands  = ["cp -r $PAI_STORAGE_CONFIGNFS/models $PAI_STORAGE_NFS/"]
      resources = { gpu = 0, cpu = 1, memory_mb = 512 }
    }
  }
}
