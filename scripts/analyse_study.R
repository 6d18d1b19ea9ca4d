# Confirmatory analysis of a study in R, from the folder of `cohabit study export` as it is.
#
#     Rscript scripts/analyse_study.R FOLDER
#
# It needs jsonlite, lme4 and survival. For each hypothesis of the frozen plan it fits a linear mixed model
# with groups and tasks as crossed random effects to first tries by assigned condition, and tests it as was
# declared: two-sided, one-sided, or for equivalence with two one-sided tests. Primary hypotheses are
# corrected as the plan says. For each pair of levels there is a Cox regression of the time to success, each
# task with a hazard of its own, clustered by group. Outcomes `episodes.retry_...` are of the first try
# that follows a failed one; what is of people and of no attempt, such as answers at the end, is compared by
# Welch's test of their means. `scripts/analyse_study.py` fits the model that the plan
# declared: change the formula here as your plan says.
#
# It prints a line for each estimate, with tabs between its columns. A hypothesis that cannot be analysed is
# a line without an estimate, of the kind `not analysed`, and counts in the correction with p = 1.

# Attached, since a formula knows `strata` by its bare name only: `survival::strata` would be a covariate.
suppressPackageStartupMessages(library(survival))

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) stop("expected one folder: Rscript scripts/analyse_study.R FOLDER")
folder <- arguments[[1]]

codebook <- jsonlite::fromJSON(file.path(folder, "codebook.json"), simplifyVector = FALSE)

# Names of the columns of a table that the codebook calls text.
texts_of <- function(name) {
  for (table in codebook$tables) {
    if (table$name != name) next
    columns <- Filter(function(column) column$type == "text", table$columns)
    return(vapply(columns, function(column) column$name, ""))
  }
  character(0)
}

# Read by the codebook, not by what values look like: a level may be called true, T, 1 or NA.
table_of <- function(name) {
  file <- file.path(folder, "data", paste0("description-", name, "_data.csv"))
  if (!file.exists(file)) {
    stop(file, " is not there: outcomes are exported once a study is closed, or unblinded")
  }
  texts <- texts_of(name)
  read.csv(file,
    na.strings = "", stringsAsFactors = FALSE, encoding = "UTF-8", check.names = FALSE,
    colClasses = setNames(rep("character", length(texts)), texts)
  )
}

# A column of true and false: some versions of R read it as text, others as logical values.
holds <- function(column) !is.na(column) & tolower(as.character(column)) == "true"

# First tries of the analysis by assigned condition, with the time to success.
attempts <- function() {
  episodes <- table_of("episodes")
  episodes <- episodes[holds(episodes$is_assigned) & episodes$try_index %in% 0, ]
  times <- table_of("measures")
  times <- times[times$measure_id %in% "time_to_success", ]
  found <- match(episodes$episode_id, times$episode_id)
  episodes$time_to_success <- as.numeric(times$value)[found]
  episodes$succeeded <- !holds(times$is_censored)[found]
  episodes
}

# Tries that follow a failed one, by assigned condition: a group's first at each task.
retries <- function() {
  episodes <- table_of("episodes")
  if (is.null(episodes$retry_success)) stop("there are no columns of later tries: export it again")
  has_one <- holds(episodes$is_assigned) & !is.na(episodes$retry_success)
  episodes <- episodes[has_one, ]
  episodes <- episodes[order(episodes$try_index), ]
  episodes[!duplicated(episodes[c("group_id", "task_id")]), ]
}

# Tables of outcomes beside episodes, with the column that names one where rows are in long form.
keys <- c(seats = "", visits = "", scores = "score_id", responses = "question_id")

# Rows with the column `y`, without those that have no value; NULL: there are none. What is of people
# and of no attempt, such as answers at the end, has an empty task.
with_outcome <- function(episodes, outcome) {
  name <- sub("[.].*", "", outcome)
  column <- sub("^[^.]*[.]", "", outcome)
  if (name == "episodes" && startsWith(column, "retry_")) episodes <- retries()
  if (name == "episodes" && column %in% names(episodes)) {
    values <- episodes[[column]]
    is_boolean <- all(tolower(values[!is.na(values)]) %in% c("true", "false"))
    episodes$y <- if (is_boolean) ifelse(is.na(values), NA, holds(values)) else as.numeric(values)
    return(episodes[!is.na(episodes$y), ])
  }
  if (!name %in% names(keys)) return(NULL)
  rows <- table_of(name)
  if (keys[[name]] != "") {
    rows <- rows[rows[[keys[[name]]]] %in% column, ]
    column <- "value"
  }
  if (!column %in% names(rows)) return(NULL)
  rows$y <- suppressWarnings(as.numeric(rows[[column]]))
  rows <- rows[!is.na(rows$y), ]
  if (is.null(rows$episode_id)) rows$episode_id <- rep(NA_character_, nrow(rows))
  is_alone <- is.na(rows$episode_id)
  found <- merge(episodes, rows[!is_alone, c("episode_id", "y")], by = "episode_id")
  people <- table_of("participants")
  people <- people[holds(people$is_assigned), ]
  people$task_id <- rep("", nrow(people))
  alone <- merge(people, rows[is_alone, c("participant_id", "y")], by = "participant_id")
  if (nrow(alone) > 0) {
    shared <- intersect(names(found), names(alone))
    found <- rbind(found[shared], alone[shared])
  }
  if (nrow(found) == 0) NULL else found
}

are_of_people <- function(rows) all(rows$task_id == "")

# Rows of two levels, with `x` 1 at the first and 0 at the second.
contrast <- function(rows, hypothesis) {
  level <- rows[[paste0("f_", hypothesis$factor)]]
  rows$x <- as.numeric(level == hypothesis$levels[[1]])
  rows[level %in% unlist(hypothesis$levels), ]
}

# Difference, its error, degrees of freedom, and the standard deviation within a level.
mixed <- function(rows) {
  n <- nrow(rows)
  n_groups <- length(unique(rows$group_id))
  n_tasks <- length(unique(rows$task_id))
  # An intercept for each row, or one for all, is none that can be told from the rest.
  random <- c(
    if (n_groups > 1 && n_groups < n) "(1 | group_id)",
    if (n_tasks > 1 && n_tasks < n) "(1 | task_id)"
  )
  terms <- paste(c("y ~ x", random), collapse = " + ")
  fit <- if (is.null(random)) lm(y ~ x, rows) else lme4::lmer(as.formula(terms), rows, REML = TRUE)
  found <- coef(summary(fit))["x", ]
  is_between <- all(tapply(rows$x, rows$group_id, function(x) length(unique(x))) == 1)
  df <- if (is_between) n_groups - 2 else n - n_groups - n_tasks
  squares <- tapply(rows$y, rows$x, function(y) sum((y - mean(y))^2))
  list(
    estimate = found[["Estimate"]], error = found[["Std. Error"]], df = max(1, df),
    deviation = sqrt(sum(squares) / (n - 2)), n = n
  )
}

# The same by Welch's test of means of groups: those who played together are one unit. Paired where each
# group has both levels.
of_means <- function(rows) {
  means <- aggregate(y ~ group_id + x, rows, mean)
  first <- means[means$x == 1, ]
  second <- means[means$x == 0, ]
  both <- merge(first, second, by = "group_id")
  is_paired <- nrow(both) == nrow(first) && nrow(both) == nrow(second)
  squares <- tapply(means$y, means$x, function(y) sum((y - mean(y))^2))
  deviation <- sqrt(sum(squares) / (nrow(means) - 2))
  none <- list(estimate = NA, error = NA, df = 1, deviation = deviation, n = nrow(means))
  if (!isTRUE(deviation > 0) || (!is_paired && min(nrow(first), nrow(second)) < 2)) return(none)
  test <- if (is_paired) {
    t.test(both$y.x, both$y.y, paired = TRUE)
  } else {
    t.test(first$y, second$y)
  }
  estimate <- if (is_paired) test$estimate[[1]] else test$estimate[[1]] - test$estimate[[2]]
  list(
    estimate = estimate, error = test$stderr, df = test$parameter[[1]],
    deviation = deviation, n = nrow(means)
  )
}

# The p value of the declared direction; of equivalence the larger of two tests against the bound, which
# is in standard deviations.
p_value <- function(fit, hypothesis) {
  t <- fit$estimate / fit$error
  direction <- if (is.null(hypothesis$direction)) "two_sided" else hypothesis$direction
  bound <- if (is.null(hypothesis$bound)) 0 else hypothesis$bound * fit$deviation / fit$error
  switch(direction,
    greater = pt(t, fit$df, lower.tail = FALSE),
    less = pt(t, fit$df),
    equivalent = max(pt(t + bound, fit$df, lower.tail = FALSE), pt(t - bound, fit$df)),
    2 * pt(abs(t), fit$df, lower.tail = FALSE)
  )
}

is_primary <- function(hypothesis) !identical(hypothesis$is_primary, FALSE)

# The row of a hypothesis that cannot be fitted, which the message explains.
not_analysed <- function(hypothesis, why) {
  message(hypothesis$name, ": ", why, ": not analysed")
  data.frame(
    kind = "not analysed", name = hypothesis$name, estimate = NA, error = NA, df = NA, p = NA,
    p_corrected = NA, n = 0, is_primary = is_primary(hypothesis)
  )
}

differences <- function(episodes, plan) {
  found <- NULL
  for (hypothesis in plan$hypotheses) {
    rows <- with_outcome(episodes, hypothesis$outcome)
    if (is.null(rows)) {
      why <- paste("the export has no values of", hypothesis$outcome)
      found <- rbind(found, not_analysed(hypothesis, why))
      next
    }
    rows <- contrast(rows, hypothesis)
    if (length(unique(rows$x)) < 2 || length(unique(rows$group_id)) < 3) {
      found <- rbind(found, not_analysed(hypothesis, "too few groups to compare"))
      next
    }
    fit <- if (are_of_people(rows)) of_means(rows) else mixed(rows)
    if (is.na(p_value(fit, hypothesis))) {
      found <- rbind(found, not_analysed(hypothesis, "its values do not vary"))
      next
    }
    found <- rbind(found, data.frame(
      kind = "difference", name = hypothesis$name, estimate = fit$estimate, error = fit$error,
      df = fit$df, p = p_value(fit, hypothesis), p_corrected = NA, n = fit$n,
      is_primary = is_primary(hypothesis)
    ))
  }
  if (!is.null(found)) {
    correction <- if (is.null(plan$correction)) "holm" else plan$correction
    # One that cannot be fitted stays in the family, with p = 1: the family is that of the plan.
    family <- found$is_primary
    ps <- ifelse(is.na(found$p), 1, found$p)[family]
    found$p_corrected[family] <- p.adjust(ps, method = correction)
    found$p_corrected[is.na(found$p)] <- NA
    found$is_primary <- NULL
  }
  found
}

# Successes at each level, with fewer of which no regression of times is fitted.
least_events <- 5

hazards <- function(episodes, plan) {
  found <- NULL
  seen <- character(0)
  for (hypothesis in plan$hypotheses) {
    levels <- unlist(hypothesis$levels)
    name <- sprintf("%s: %s against %s", hypothesis$factor, levels[[1]], levels[[2]])
    if (name %in% seen) next
    rows <- contrast(episodes[!is.na(episodes$time_to_success), ], hypothesis)
    events <- c(sum(rows$succeeded[rows$x == 1]), sum(rows$succeeded[rows$x == 0]))
    told <- paste0(name, ": ", events[[1]], " and ", events[[2]], " successes")
    seen <- c(seen, name)
    if (min(events) < least_events) {
      message(told, ", of ", least_events, " that each level needs: no regression of times")
      next
    }
    # It warns where an estimate is infinite: where levels separate successes.
    fit <- tryCatch(
      coxph(
        Surv(time_to_success, succeeded) ~ x + strata(task_id),
        data = rows, cluster = group_id
      ),
      warning = function(problem) NULL
    )
    if (is.null(fit)) {
      message(told, ", but the fit does not converge, as where levels separate them: not told")
      next
    }
    message(told)
    one <- summary(fit)$coefficients["x", ]
    found <- rbind(found, data.frame(
      kind = "log hazard", name = name, estimate = one[["coef"]], error = one[["robust se"]],
      df = Inf, p = one[["Pr(>|z|)"]], p_corrected = NA, n = nrow(rows)
    ))
  }
  found
}

plan <- jsonlite::fromJSON(file.path(folder, "manifest.json"), simplifyVector = FALSE)$study$analysis
if (is.null(plan)) stop("the study declared no analysis: there is no hypothesis to test")
episodes <- attempts()
found <- rbind(differences(episodes, plan), hazards(episodes, plan))
if (is.null(found)) stop("there is nothing to report: the plan declares no hypothesis")
write.table(format(found, digits = 8, trim = TRUE), sep = "\t", quote = FALSE, row.names = FALSE)
