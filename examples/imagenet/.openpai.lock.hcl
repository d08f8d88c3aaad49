# Written by "openpai init" and "openpai lock". Commit it, and change it only
# with these commands.

item "marketplace://data/imagenet?from=examples" {
  references = ["marketplace://name/imagenet"]
  source     = "../marketplace//imagenet.yaml#imagenet"
  hash       = "h1:8d6f8479d700733712e92036bdf660fc330100a49c1a196efdbb3a07fdea864b"
}

item "marketplace://data/imagenet_only_validation?from=examples" {
  references = ["marketplace://name/imagenet_only_validation"]
  source     = "../marketplace//imagenet.yaml#imagenet_only_validation"
  hash       = "h1:bc8798b6b8ea35f1a09b892ece2ac66b9cb2aec52703b8578572f0de9be127f5"
}

item "marketplace://storage/confignfs_pvc?from=examples" {
  references = ["marketplace://name/confignfs_pvc"]
  source     = "../marketplace//imagenet.yaml#confignfs_pvc"
  hash       = "h1:ab04d6eadb4e381d9882114da0fb41bbf76ea13345e1919bbed01cb206a074f0"
}
