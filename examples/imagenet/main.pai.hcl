# The second example of the Marketplace specification, with fixes. Its jobs are
# OpenPAI protocol YAML; its items are in ../marketplace.
#
#     openpai init examples/imagenet
#     openpai run examples/imagenet

marketplace "examples" {
  source = "../marketplace"
}

# In the specification, this storage is a claim of the cluster; here it is a
# directory.
storage "confignfs" {
  host_path = "confignfs"
}

protocol "imagenet" {
  file = "imagenet.yaml"
}

protocol "imagenet_only_validation" {
  file = "imagenet_only_validation.yaml"
}
