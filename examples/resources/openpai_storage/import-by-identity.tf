import {
  to = openpai_storage.nfs
  identity = {
    name = "nfs"
  }
}
