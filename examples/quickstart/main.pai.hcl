# Fits a line through the weights of the chemical elements, like a data-parallel
# job: each worker computes the sums of its part of the table, and the reducer
# combines them. Needs a POSIX shell, awk and cksum, but no GPU and no network.

variable "predict" {
  type        = number
  default     = 43 # technetium, which has no stable isotope and no standard weight
  description = "Number of the element whose weight is predicted."
}

variable "seal_key" {
  type        = string
  sensitive   = true
  default     = "only-for-this-example" # a real secret has no default: use a secret block, or PAI_VAR_seal_key
  description = "Key that the result is sealed with. It is a secret of the job."
}

storage "results" {
  host_path = "results" # below this directory, created when missing
}

prerequisite "dockerimage" "shell" {
  uri = "busybox:1.36" # on the local cluster tasks are processes of this machine
}

# Defines the command "shard", which prints every n-th line of a table.
prerequisite "script" "shard" {
  callback "taskStarts" {
    commands = [
      "mkdir -p bin",
      "printf '%s\\n' '#!/bin/sh' 'awk -v i=\"$1\" -v n=\"$2\" \"NR > 1 && (NR - 2) % n == i\"' > bin/shard",
      "chmod +x bin/shard",
      "export PATH=\"$PWD/bin:$PATH\"",
    ]
  }
}

# Fetches the table, checks it, and selects the part of this task.
prerequisite "data" "elements" {
  require            = [prerequisite.script.shard]
  template_variables = ["dir"]

  fetch {
    url    = "data/elements.csv"
    sha256 = "ab8608c8382977642589fe5a420538ea802c1a7030602e87d7181398fdfa813f"
    to     = "{{ dir }}/elements.csv"
  }

  callback "taskStarts" {
    commands = [
      "shard $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX $PAI_CURRENT_TASK_ROLE_TASK_COUNT < {{ dir }}/elements.csv > {{ dir }}/shard.csv",
      "export SHARD=\"$PWD/{{ dir }}/shard.csv\"",
    ]
  }
}

# A directory of this attempt in the storage, so that a rerun never reads the
# sums of an earlier one.
prerequisite "output" "sums" {
  require_storages = [{ use = storage.results }]

  callback "taskStarts" {
    commands = [
      "export SUMS=\"$PAI_STORAGE_RESULTS/$FC_FRAMEWORK_ATTEMPT_INSTANCE_UID\"",
      "mkdir -p \"$SUMS\"",
    ]
  }
}

job "elements" {
  description = "A line through the weights of the chemical elements."

  parameters = {
    predict = var.predict
  }

  task_role "worker" {
    instances = 2
    image     = prerequisite.dockerimage.shell
    prerequisites = [
      { use = prerequisite.data.elements, with = { dir = "data" } },
      prerequisite.output.sums,
    ]
    commands = [
      "echo \"$(wc -l < \"$SHARD\" | tr -d ' ') elements in my part\"",
      "part=\"$SUMS/part-$PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX\"",
      "awk -F, '{ n++; x += $1; y += $4; xx += $1 * $1; xy += $1 * $4 } END { print n, x, y, xx, xy }' CONVFMT=%.17g OFMT=%.17g \"$SHARD\" > \"$part.new\"",
      "mv \"$part.new\" \"$part\"", # complete or absent
    ]

    # The job succeeds when the reducer succeeds, not when the workers succeed.
    completion {
      min_succeeded_instances = -1
    }

    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 128
    }
  }

  task_role "reduce" {
    image         = prerequisite.dockerimage.shell
    prerequisites = [prerequisite.output.sums]
    commands = [
      <<-EOT
      set --
      worker=0
      while [ "$worker" -lt "$PAI_TASK_ROLE_TASK_COUNT_worker" ]; do
        eval "host=\$PAI_HOST_IP_worker_$worker"
        echo "waiting for worker $worker on $host"
        until [ -f "$SUMS/part-$worker" ]; do sleep 0.1; done
        set -- "$@" "$SUMS/part-$worker"
        worker=$((worker + 1))
      done
      awk -v element=<% $parameters.predict %> '
        { n += $1; x += $2; y += $3; xx += $4; xy += $5 }
        END {
          slope = (n * xy - x * y) / (n * xx - x * x)
          start = (y - slope * x) / n
          printf "%d elements: weight = %.4f * number %+.4f\n", n, slope, start
          printf "element %d: predicted weight %.1f\n", element, slope * element + start
        }' "$@" | tee "$PAI_STORAGE_RESULTS/line.txt"
      echo "seal $({ cat "$PAI_STORAGE_RESULTS/line.txt"; printf %s '${var.seal_key}'; } | cksum | cut -d ' ' -f 1)"
      rm -r "$SUMS"
      EOT
    ]

    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 128
    }
  }
}
