# Confirmatory analysis of a study in R, from the folder of `cohabit study export` as it is.
#
#     Rscript scripts/analyse_study.R FOLDER
#
# It needs jsonlite, lme4 and survival. For each hypothesis on a column of `episodes` it fits a linear
# mixed model with groups and tasks as crossed random effects to first tries by assigned condition, and
# a Cox regression of the time to success, each task with a hazard of its own, clustered by group.
# `scripts/analyse_study.py` fits what the plan declared: change the formula here as your plan says.

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) stop("expected one folder: Rscript scripts/analyse_study.R FOLDER")
folder <- arguments[[1]]
table_of <- function(name) {
  file <- file.path(folder, "data", paste0("description-", name, "_data.csv"))
  read.csv(file, na.strings = "", stringsAsFactors = FALSE)
}

plan <- jsonlite::fromJSON(file.path(folder, "manifest.json"), simplifyVector = FALSE)$study$analysis
if (is.null(plan)) stop("the study declared no analysis: there is no hypothesis to test")

episodes <- table_of("episodes")
episodes <- episodes[episodes$is_assigned == "true" & episodes$try_index == 0, ]
times <- table_of("measures")
times <- times[times$measure_id == "time_to_success", c("episode_id", "value", "is_censored")]
episodes <- merge(episodes, times, by = "episode_id")

for (hypothesis in plan$hypotheses) {
  outcome <- strsplit(hypothesis$outcome, ".", fixed = TRUE)[[1]]
  level <- episodes[[paste0("f_", hypothesis$factor)]]
  rows <- episodes[level %in% unlist(hypothesis$levels), ]
  rows$x <- as.numeric(rows[[paste0("f_", hypothesis$factor)]] == hypothesis$levels[[1]])
  if (outcome[[1]] == "episodes") {
    y <- rows[[outcome[[2]]]]
    rows$y <- if (is.character(y)) as.numeric(y == "true") else as.numeric(y)
    fit <- lme4::lmer(y ~ x + (1 | group_id) + (1 | task_id), data = rows)
    found <- summary(fit)$coefficients["x", ]
    cat(sprintf("difference\t%s\t%.6f\t%.6f\n", hypothesis$name, found[[1]], found[[2]]))
  }
  survived <- survival::coxph(
    survival::Surv(value, is_censored == "false") ~ x + survival::strata(task_id),
    data = rows, cluster = group_id
  )
  found <- summary(survived)$coefficients["x", ]
  cat(sprintf("log hazard\t%s\t%.6f\t%.6f\n", hypothesis$name, found[["coef"]], found[["robust se"]]))
}
