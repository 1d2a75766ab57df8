# Rtsne with its defaults (Barnes-Hut, theta 0.5, 1000 iterations), perplexity 30, without its own PCA, one thread.
suppressMessages(library(Rtsne))
arguments <- commandArgs(trailingOnly = TRUE)
rows <- as.integer(arguments[2])
columns <- as.integer(arguments[3])
points <- matrix(readBin(arguments[1], "double", rows * columns), nrow = rows, byrow = TRUE)
set.seed(as.integer(arguments[4]))
started <- proc.time()[["elapsed"]]
result <- Rtsne(points, perplexity = 30, pca = FALSE, check_duplicates = FALSE, num_threads = 1)
seconds <- proc.time()[["elapsed"]] - started
writeBin(as.vector(t(result$Y)), arguments[5])
cat(sprintf(
  '{"name":"Rtsne","description":"Rtsne %s in R %s, its defaults without PCA, perplexity 30, one thread","kind":"t-SNE","seconds":%.6f}',
  packageVersion("Rtsne"), getRversion(), seconds
))
