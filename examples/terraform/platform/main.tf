# What a platform team offers: a cluster, storages, a catalogue of items, and one
# job for each model and fold. Everything is applied in one run from nothing: the
# cluster that the provider block means is created in the same run.

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
  description = "Certificate authority of the API server as PEM."
}

variable "token" {
  type        = string
  description = "Bearer token. It is in no plan and no state."
  sensitive   = true
  ephemeral   = true
}

variable "namespace" {
  type        = string
  description = "Namespace of the jobs."
  default     = "default"
}

# Stands for the resource that creates the cluster, such as aws_eks_cluster. Its
# outputs are known only after it was created.
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
