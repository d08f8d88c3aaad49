# Written by "openpai init" and "openpai lock". Commit it, and change it only
# with these commands.

item "marketplace://data/mnist?from=examples" {
  references = ["marketplace://name/mnist"]
  source     = "../marketplace//mnist.yaml#mnist"
  hash       = "h1:6cfaea5e66d4aa03cd8d9caec93938beb0bf79aec95520cdc4e0a3367c37af52"
}

item "marketplace://data/mnist_fetched?from=examples" {
  references = ["marketplace://name/mnist_fetched"]
  source     = "../marketplace//mnist.yaml#mnist_fetched"
  hash       = "h1:8a7eb5e64b9b8da528663a8437121f62bcaa1ab4aba7a1b1978e20df7409e26b"
}

item "marketplace://script/install_wget?from=examples" {
  references = ["marketplace://name/install_wget"]
  source     = "../marketplace//install_wget.yaml"
  hash       = "h1:6f2abedfed8d88d4770e4248d5b653efca434a69fa4875ed0ae8ac775c440e88"
}
