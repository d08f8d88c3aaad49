# The second example of the Marketplace specification, repaired: its jobs are
# OpenPAI protocol YAML as they were, its items are in ../marketplace.
#
#     openpai init examples/imagenet
#     openpai run examples/imagenet

marketplace "examples" {
  source = "../marketplace"
}

# In the specification a claim of the cluster; here a directory.
storage "confignfs" {
  host_path = "confignfs"
}

protocol "imagenet" {
  file = "imagenet.yaml"
}

protocol "imagenet_only_validation" {
  file = "imagenet_only_validation.yaml"
}
