# The configuration of a platform team: a cluster, storages, a catalog of items, and
# one job for each model and fold. One run applies everything from an empty state
# and also creates the cluster of the provider block.

terraform {
  required_version = ">= 1.10" # ephemeral variables; OpenTofu since 1.11

  required_providers {
    openpai = {
      source = "openpai/openpai"
    }
  }
}

variable "endpoint" {
  type        = string
  description = "URL of the API server."
}

variable "ca_certificate" {
  type        = string
  description = "PEM-encoded certificate authority of the API server."
}

variable "token" {
  type        = string
  description = "Bearer token. Plans and states do not contain it."
  sensitive   = true
  ephemeral   = true
}

variable "namespace" {
  type        = string
  description = "Namespace of the jobs."
  default     = "default"
}

# Replaces the resource that creates the cluster, such as aws_eks_cluster. Its
# outputs are known only after apply.
resource "terraform_data" "cluster" {
  input = {
    endpoint       = var.endpoint
    ca_certificate = var.ca_certificate
  }
}

provider "openpai" {
  kubernetes {
    host                   = terraform_data.cluster.output.endpoint
    cluster_ca_certificate = terraform_data.cluster.output.ca_certificate
    token                  = var.token
    namespace              = var.namespace
    user                   = "platform"
    workspace              = "training"
    runtime_image          = "registry.example.org/openpai-runtime:0.1.0"
    max_run_time           = "24h"
  }
}
