# Pinned images, so that the merge runs the reviewed images.

policy "pinned_images" {
  for_each  = task_roles
  condition = can(regex("@sha256:[0-9a-f]{64}$", each.value.image.uri)) || can(regex(":[^:/@]+$", each.value.image.uri)) && !endswith(each.value.image.uri, ":latest")
  message   = "The image ${each.value.image.uri} is not pinned. Write a version or a digest, such as debian:13."
  field     = "image"
}
