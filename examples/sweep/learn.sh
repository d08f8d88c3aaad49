# Minimizes (x - 3)^2 by gradient descent, as an example of a training, and reports
# the loss as a metric.
cat >learn.awk <<'END'
BEGIN {
  x = 0
  for (i = 0; i < epochs * batch; i++) x -= lr * 2 * (x - 3)
  loss = (x - 3) ^ 2
  printf "lr=%s batch=%s loss=%.6f\n", lr, batch, loss
  printf "{\"loss\": %.6f}\n", loss >>ENVIRON["PAI_METRICS_FILE"]
}
END
export LEARN="$PWD/learn.awk"
