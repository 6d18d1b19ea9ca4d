# Confirmatory analysis of a study in R, from the folder of `cohabit study export` as it is.
#
#     Rscript scripts/analyse_study.R FOLDER
#
# It needs jsonlite, lme4 and survival. For each hypothesis of the frozen plan it fits the model that was
# declared to first tries by assigned condition, and with outcomes `episodes.retry_...` to second tries that
# follow a failed first one, without what the plan excludes: means per person or group (Welch's or a paired
# t test), a linear mixed model with the declared random intercepts, or least squares with groups and tasks
# as crossed clusters of the errors. It tests as was declared: two-sided, one-sided, or for equivalence with
# two one-sided tests. What is of people and of no attempt, such as answers at the end, is compared by their
# means. Primary hypotheses are corrected as the plan says. For each pair of levels there is a Cox regression
# of the time to success, stratified by task and by every other factor that the design tells apart, clustered by
# group. Least squares have these as terms, named or not: attempts go missing by condition, and what another
# factor does would stand in the difference. Change it as your plan says.
#
# It prints a line for each estimate, with tabs between its columns, and what it has to say beside them as
# messages. What cannot be analysed, a hypothesis or a regression, is a line without an estimate, of the kind
# `not analysed`, and a message says why. Such a hypothesis counts in the correction with p = 1.

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

# Tables that were read, by their names.
tables <- new.env()

# Read once, by the codebook, not by what values look like: a level may be called true, T, 1 or NA.
table_of <- function(name) {
  if (!is.null(tables[[name]])) return(tables[[name]])
  file <- file.path(folder, "data", paste0("description-", name, "_data.csv"))
  if (!file.exists(file)) {
    stop(file, " is not there: outcomes are exported once a study is closed, or unblinded")
  }
  texts <- texts_of(name)
  tables[[name]] <- read.csv(file,
    na.strings = "", stringsAsFactors = FALSE, encoding = "UTF-8", check.names = FALSE,
    colClasses = setNames(rep("character", length(texts)), texts)
  )
  tables[[name]]
}

# A column of true and false: some versions of R read it as text, others as logical values.
holds <- function(column) !is.na(column) & tolower(as.character(column)) == "true"

# Tables of outcomes beside episodes, with the column that names one where rows are in long form.
keys <- c(seats = "", visits = "", scores = "score_id", responses = "question_id")

# The rows that a rule of the plan excludes; NULL: the export does not have its column.
hit_by <- function(rule) {
  name <- sub("[.].*", "", rule$column)
  column <- sub("^[^.]*[.]", "", rule$column)
  if (!file.exists(file.path(folder, "data", paste0("description-", name, "_data.csv")))) return(NULL)
  rows <- table_of(name)
  if (name %in% names(keys) && keys[[name]] != "") {
    rows <- rows[rows[[keys[[name]]]] %in% column, ]
    column <- "value"
  }
  if (!column %in% names(rows)) return(NULL)
  if (name == "seats") rows <- rows[!is.na(rows$participant_id), ]
  values <- rows[[column]]
  compare <- match.fun(rule$relation)
  is_hit <- if (is.logical(rule$value)) {
    compare(tolower(as.character(values)), tolower(as.character(rule$value)))
  } else if (is.character(rule$value)) {
    compare(as.character(values), rule$value)
  } else {
    compare(suppressWarnings(as.numeric(values)), rule$value)
  }
  rows[is_hit %in% TRUE, ]
}

# Episodes and participants without what the plan excludes. A rule on attempts or seats takes away the
# attempt, and with it the group's later tries at the task; one on people takes away the person, and their
# group where the plan says so.
without_excluded <- function(plan) {
  episodes <- table_of("episodes")
  people <- table_of("participants")
  whole <- !identical(plan$when_one_is_excluded, "others_stay")
  for (rule in plan$exclusions) {
    value <- if (is.logical(rule$value)) tolower(as.character(rule$value)) else rule$value
    text <- paste(rule$column, rule$relation, value)
    hit <- hit_by(rule)
    if (is.null(hit)) {
      message("excluded by ", text, ": the export does not have the column")
      next
    }
    before <- c(sum(holds(episodes$is_assigned)), sum(holds(people$is_assigned)))
    if (sub("[.].*", "", rule$column) %in% c("episodes", "seats")) {
      is_hit <- episodes$episode_id %in% hit$episode_id
      task <- paste(episodes$group_id, episodes$task_id, sep = "\n")
      first_hit <- tapply(ifelse(is_hit, episodes$try_index, Inf), task, min)[task]
      episodes <- episodes[!(is_hit | episodes$try_index >= first_hit), ]
    } else {
      is_out <- people$participant_id %in% hit$participant_id
      if (whole) {
        groups <- setdiff(people$group_id[is_out], NA)
        is_out <- is_out | people$group_id %in% groups
        episodes <- episodes[!episodes$group_id %in% groups, ]
      }
      people <- people[!is_out, ]
    }
    lost <- before - c(sum(holds(episodes$is_assigned)), sum(holds(people$is_assigned)))
    message("excluded by ", text, ": ", lost[[1]], " attempts, ", lost[[2]], " people")
  }
  if (length(plan$exclusions) == 0) message("the plan excludes nothing")
  list(episodes = episodes, people = people)
}

# First tries of the analysis by assigned condition, with the time to success.
attempts <- function() {
  episodes <- kept$episodes
  episodes <- episodes[holds(episodes$is_assigned) & episodes$try_index %in% 0, ]
  times <- table_of("measures")
  times <- times[times$measure_id %in% "time_to_success", ]
  found <- match(episodes$episode_id, times$episode_id)
  episodes$time_to_success <- as.numeric(times$value)[found]
  episodes$succeeded <- !holds(times$is_censored)[found]
  episodes
}

# Second tries that follow a failed first one, by assigned condition. A later one takes the place of none:
# it follows two explanations, or an attempt that was not judged.
retries <- function() {
  episodes <- kept$episodes
  if (is.null(episodes$retry_success)) stop("there are no columns of later tries: export it again")
  has_one <- holds(episodes$is_assigned) & !is.na(episodes$retry_success)
  episodes[has_one & episodes$try_index %in% 1, ]
}

# Say of whom outcomes of tries after a failed one are. All counts but the last are before exclusions.
tell_failed_first_tries <- function() {
  everything <- table_of("episodes")
  first <- everything[holds(everything$is_assigned) & everything$try_index %in% 0, ]
  failed <- first[first$verdict_shown %in% "failure", ]
  task_of <- function(rows) paste(rows$group_id, rows$task_id, sep = "\n")
  again <- failed[task_of(failed) %in% task_of(everything[everything$try_index %in% 1, ]), ]
  analysed <- retries()
  message(
    "Tries after a failed one exist only where a first try failed. Who fails is not drawn, and may depend ",
    "on the condition (where only what is explained differs, from the second task on): those who failed ",
    "are compared, and whoever never failed is left out."
  )
  for (condition in sort(unique(first$condition))) {
    count <- function(rows) sum(rows$condition %in% condition)
    message(
      condition, ": first tries ", count(first), ", failed ", count(failed), ", tried again ",
      count(again), ", analysed ", count(analysed)
    )
  }
}

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
  # Seats of policies are none of people.
  if (name == "seats") rows <- rows[!is.na(rows$participant_id), ]
  if (is.null(rows$episode_id)) rows$episode_id <- rep(NA_character_, nrow(rows))
  is_alone <- is.na(rows$episode_id)
  people <- kept$people
  people <- people[holds(people$is_assigned), ]
  if (name != "seats") {
    is_in <- rows$participant_id %in% people$participant_id
    rows <- rows[is_in, ]
    is_alone <- is_alone[is_in]
  }
  values <- rows[!is_alone, c("episode_id", "y")]
  # What two people have of one attempt is one value, their mean.
  if (nrow(values) > 0) values <- aggregate(y ~ episode_id, values, mean)
  found <- merge(episodes, values, by = "episode_id")
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

model_of <- function(unit, covariates = character(0), random = character(0), problem = "") {
  name <- if (unit != "episode") {
    "t test of means"
  } else if (length(random) > 0) {
    paste("mixed model with", paste0(random, "s", collapse = " and "))
  } else {
    "least squares, clustered by group and task"
  }
  if (length(covariates) > 0) name <- paste0(name, ", beside ", paste(covariates, collapse = " and "))
  list(unit = unit, covariates = covariates, random = random, problem = problem, name = name)
}

# The model of a hypothesis: its own, or the plan's, or else means of the plan's units, or a mixed model where
# the unit is the episode.
model_text <- function(plan, hypothesis) {
  if (!is.null(hypothesis$model)) return(trimws(hypothesis$model))
  if (!is.null(plan$model)) return(trimws(plan$model))
  outcome <- sub("^[^.]*[.]", "", hypothesis$outcome)
  if (is.null(plan$unit) || plan$unit == "episode") {
    return(paste(outcome, "~", hypothesis$factor, "+ (1 | group) + (1 | task)"))
  }
  paste("mean of", outcome, "per", plan$unit, "~", hypothesis$factor)
}

# The model that a plan declares; one that is not known is least squares on attempts.
declared_model <- function(plan, hypothesis) {
  text <- sub("[.]+$", "", model_text(plan, hypothesis))
  formula <- paste0(
    "^(?:two one-sided tests of )?(?:mean of )?[\\w.]+",
    "(?: per (person|participant|group|attempt|episode))?\\s*~([^~]+)$"
  )
  found <- regmatches(text, regexec(formula, text, ignore.case = TRUE, perl = TRUE))[[1]]
  if (length(found) == 0) {
    return(model_of("episode", problem = paste0("'", text, "' is no formula that is known here")))
  }
  terms <- trimws(strsplit(found[[3]], "+", fixed = TRUE)[[1]])
  pattern <- "^\\(\\s*1\\s*\\|\\s*(group|group_id|task)\\s*\\)$"
  is_random <- grepl(pattern, terms, perl = TRUE)
  random <- unique(sub("_id$", "", sub(pattern, "\\1", terms[is_random], perl = TRUE)))
  fixed <- terms[!is_random]
  if (!hypothesis$factor %in% fixed || any(grepl("(", fixed, fixed = TRUE))) {
    return(model_of("episode", problem = paste0("'", text, "' has other terms than are known here")))
  }
  units <- c(person = "participant", attempt = "episode")
  named <- tolower(found[[2]])
  unit <- if (named %in% names(units)) {
    units[[named]]
  } else if (named != "") {
    named
  } else if (length(random) > 0 || is.null(plan$unit)) {
    "episode"
  } else {
    plan$unit
  }
  covariates <- setdiff(fixed, hypothesis$factor)
  if (unit != "episode" && length(c(random, covariates)) > 0) {
    why <- paste0("'", text, "' has means of a unit with other terms")
    return(model_of("episode", problem = why))
  }
  model_of(unit, covariates, random)
}

# A model's fixed part: the two levels that are compared, and covariates.
fixed_part <- function(model) {
  terms <- ifelse(model$covariates == "order", "order_index", paste0("factor(f_", model$covariates, ")"))
  paste(c("y ~ x", if (length(model$covariates) > 0) terms), collapse = " + ")
}

# The standard deviation of values within a level.
deviation_of <- function(rows) {
  squares <- tapply(rows$y, rows$x, function(y) sum((y - mean(y))^2))
  sqrt(sum(squares) / (nrow(rows) - 2))
}

# Columns of a model's terms beside the intercept: names of columns of the rows, the factor's first.
terms_of <- function(model) {
  c("x", ifelse(model$covariates == "order", "order_index", paste0("f_", model$covariates)))
}

# Why a model of attempts cannot be fitted to rows: a term says nothing, or the same as others. Empty: it can.
problem_of <- function(rows, model) {
  if (!isTRUE(deviation_of(rows) > 0)) return("its values do not vary")
  for (name in model$covariates) {
    values <- rows[[if (name == "order") "order_index" else paste0("f_", name)]]
    if (name == "order" && anyNA(values)) return("values that are of no attempt have no order")
    if (length(unique(values)) < 2) {
      return(paste(name, "has one value in the data that are compared"))
    }
  }
  design <- model.matrix(as.formula(fixed_part(model)), rows)
  if (qr(design)$rank < ncol(design)) return("the terms of the model say the same in these data")
  ""
}

# Degrees of freedom: what does not change within groups is tested on groups, all else on attempts, each
# less what the terms of its own kind take.
df_of <- function(rows, model) {
  n <- nrow(rows)
  n_groups <- length(unique(rows$group_id))
  tasks <- if ("task" %in% model$random) length(unique(rows$task_id)) - 1 else 0
  is_within <- vapply(terms_of(model), function(name) {
    any(tapply(rows[[name]], rows$group_id, function(values) length(unique(values))) > 1)
  }, NA)
  spent <- vapply(terms_of(model), function(name) {
    if (name %in% c("x", "order_index")) 1 else length(unique(rows[[name]])) - 1
  }, 0)
  if (!"group" %in% model$random) return(max(1, n - 1 - sum(spent) - tasks))
  own <- sum(spent[is_within == is_within[["x"]]])
  max(1, if (is_within[["x"]]) n - n_groups - own - tasks else n_groups - 1 - own)
}

# Difference, its error, degrees of freedom, and the standard deviation within a level.
mixed <- function(rows, model) {
  n <- nrow(rows)
  n_groups <- length(unique(rows$group_id))
  n_tasks <- length(unique(rows$task_id))
  has <- c(group = "group" %in% model$random, task = "task" %in% model$random)
  # An intercept for each row, or one for all, is none that can be told from the rest.
  random <- c(
    if (has[["group"]] && n_groups > 1 && n_groups < n) "(1 | group_id)",
    if (has[["task"]] && n_tasks > 1 && n_tasks < n) "(1 | task_id)"
  )
  terms <- as.formula(paste(c(fixed_part(model), random), collapse = " + "))
  fit <- if (is.null(random)) lm(terms, rows) else lme4::lmer(terms, rows, REML = TRUE)
  found <- coef(summary(fit))
  list(
    estimate = found["x", "Estimate"], error = found["x", "Std. Error"], df = df_of(rows, model),
    deviation = deviation_of(rows), n = n
  )
}

# The same by least squares with groups and tasks as crossed clusters of the errors (Cameron, Gelbach and
# Miller 2011), never narrower than with one of both alone.
clustered <- function(rows, model) {
  design <- model.matrix(as.formula(fixed_part(model)), rows)
  inverse <- solve(crossprod(design))
  coefficients <- inverse %*% crossprod(design, rows$y)
  scores <- design * as.vector(rows$y - design %*% coefficients)
  by <- function(labels) {
    sums <- rowsum(scores, labels)
    count <- nrow(sums)
    if (count < 2) return(0)
    count / (count - 1) * diag(inverse %*% crossprod(sums) %*% inverse)[["x"]]
  }
  groups <- by(rows$group_id)
  tasks <- by(rows$task_id)
  both <- by(paste(rows$group_id, rows$task_id, sep = "\n"))
  counts <- c(length(unique(rows$group_id)), length(unique(rows$task_id)))
  list(
    estimate = coefficients[["x", 1]], error = sqrt(max(groups, tasks, groups + tasks - both)),
    df = min(counts[counts > 1]) - 1, deviation = deviation_of(rows), n = nrow(rows)
  )
}

# Whether by the design the same groups play both levels of a hypothesis: within subjects a group plays all
# conditions with its own levels of what is drawn at entry.
is_within_groups <- function(hypothesis) {
  if (!identical(study$design$subjects, "within")) return(FALSE)
  entry <- character(0)
  for (factor in study$factors) if (identical(factor$drawn_at, "entry")) entry <- c(entry, factor$name)
  strata <- vapply(study$cells, function(cell) paste(unlist(cell$levels[entry]), collapse = "\n"), "")
  at <- vapply(study$cells, function(cell) {
    level <- cell$levels[[hypothesis$factor]]
    if (is.null(level)) "" else level
  }, "")
  any(tapply(at, strata, function(played) all(unlist(hypothesis$levels) %in% played)))
}

# Levels of factors, as one text for each row of a table, or for one condition.
label_of <- function(levels, names, prefix = "") {
  if (length(names) == 0) return("")
  parts <- lapply(paste0(prefix, names), function(name) {
    found <- levels[[name]]
    if (is.null(found)) "" else ifelse(is.na(found), "", found)
  })
  do.call(paste, c(parts, sep = "\n"))
}

# Nothing is held equal: the mean of a group at a level is of all that it has there.
held_nothing <- list(factors = character(0), entry = character(0), alone = character(0), planned = numeric(0))

# Other factors within groups, whose levels are the same where means of groups are compared: their names,
# the factors drawn at entry, by which groups are to play other conditions, the levels at which the design has
# one level alone of the two, and the number at which a group is to be compared, by its levels drawn at entry.
balance_of <- function(hypothesis) {
  if (!identical(study$design$subjects, "within")) return(held_nothing)
  names <- vapply(study$factors, function(factor) factor$name, "")
  is_entry <- vapply(study$factors, function(factor) identical(factor$drawn_at, "entry"), NA)
  entry <- names[is_entry]
  every <- lapply(study$cells, function(cell) cell$levels)
  strata <- split(every, vapply(every, label_of, "", names = entry))
  is_within <- is_within_groups(hypothesis)
  at <- function(cells, names, level) {
    own <- Filter(function(each) identical(each[[hypothesis$factor]], level), cells)
    unique(vapply(own, label_of, "", names = names))
  }
  first <- function(cells, names) at(cells, names, hypothesis$levels[[1]])
  second <- function(cells, names) at(cells, names, hypothesis$levels[[2]])
  shared <- function(names) {
    blocks <- if (is_within) strata else list(every)
    unique(unlist(lapply(blocks, function(cells) intersect(first(cells, names), second(cells, names)))))
  }
  # What says the same as the factor has no level at both of its levels: it cannot be held equal.
  others <- setdiff(names[!is_entry], hypothesis$factor)
  factors <- Filter(function(name) length(shared(name)) > 0, others)
  both <- shared(factors)
  if (length(factors) == 0 || length(both) == 0) return(held_nothing)
  planned <- vapply(strata, function(cells) {
    own <- if (is_within) {
      intersect(first(cells, factors), second(cells, factors))
    } else {
      intersect(union(first(cells, factors), second(cells, factors)), both)
    }
    as.numeric(length(own))
  }, 0)
  alone <- setdiff(union(first(every, factors), second(every, factors)), both)
  list(factors = factors, entry = entry, alone = alone, planned = planned)
}

# The same by means of groups, in which each condition weighs the same: those who played together are one
# unit. Welch's test, or, where by the design each group has both levels, a paired one of those that do, over
# the conditions that they have at both with the same levels of the other factors within groups. `why` says
# why there is none.
of_means <- function(rows, is_paired, balance) {
  count <- function(ids) length(unique(ids))
  by <- function(keys, values) ave(as.numeric(factor(values)), keys, FUN = count)
  rows$cell <- rep_len(label_of(rows, balance$factors, "f_"), nrow(rows))
  planned <- unname(balance$planned[match(label_of(rows, balance$entry, "f_"), names(balance$planned))])
  rows$planned <- ifelse(is.na(planned), 1, planned)
  rows <- rows[!rows$cell %in% balance$alone, ]
  at_level <- tapply(rows$group_id, factor(rows$x, 0:1), count, default = 0)
  if (min(at_level) < 2) return(list(why = "a level has too few groups to compare"))
  cells <- aggregate(y ~ group_id + x + cell + planned, rows, mean)
  left_out <- 0
  apart <- 0
  if (is_paired) {
    # A group with one of the levels alone says nothing of their difference.
    has_both <- by(cells$group_id, cells$x) == 2
    left_out <- count(cells$group_id[!has_both])
    cells <- cells[has_both, ]
    before <- count(cells$group_id)
    if (before > 0) cells <- cells[by(paste(cells$group_id, cells$cell, sep = "\n"), cells$x) == 2, ]
    apart <- before - count(cells$group_id)
    held <- if (apart > 0) paste(" with the same", paste(balance$factors, collapse = " and ")) else ""
    if (count(cells$group_id) < 2) {
      few <- if (nrow(cells) > 0) "one group only has both levels" else "no group has both levels"
      return(list(why = paste0(few, held)))
    }
  }
  fewer <- count(cells$group_id[by(cells$group_id, cells$cell) < cells$planned])
  means <- aggregate(y ~ group_id + x, cells, mean)
  first <- means[means$x == 1, ]
  second <- means[means$x == 0, ]
  both <- merge(first, second, by = "group_id")
  deviation <- deviation_of(means)
  varies <- if (is_paired) length(unique(both$y.x - both$y.y)) > 1 else TRUE
  if (!isTRUE(deviation > 0) || !varies) return(list(why = "its values do not vary"))
  test <- if (is_paired) {
    t.test(both$y.x, both$y.y, paired = TRUE)
  } else {
    t.test(first$y, second$y)
  }
  estimate <- if (is_paired) test$estimate[[1]] else test$estimate[[1]] - test$estimate[[2]]
  list(
    estimate = estimate, error = test$stderr, df = test$parameter[[1]],
    deviation = deviation, n = if (is_paired) nrow(both) else nrow(means), left_out = left_out, apart = apart, fewer = fewer
  )
}

# Factors beside the one of a hypothesis which attempts at its levels differ in. They are taken one after
# another, those of most levels first, as long as some condition of both levels has the same levels of them all,
# and none follows from the others, nor from the terms that a model has anyway.
other_factors <- function(hypothesis, terms = character(0)) {
  cells <- Filter(
    function(levels) isTRUE(levels[[hypothesis$factor]] %in% unlist(hypothesis$levels)),
    lapply(study$cells, function(cell) cell$levels)
  )
  level_of <- function(name) vapply(cells, function(levels) levels[[name]], "")
  at <- level_of(hypothesis$factor)
  every <- vapply(study$factors, function(factor) factor$name, "")
  counts <- vapply(every, function(name) length(unique(level_of(name))), 0L)
  taken <- intersect(every, terms)
  found <- character(0)
  for (name in setdiff(every[order(-counts)], c(hypothesis$factor, taken))) {
    names <- c(taken, found, name)
    labels <- vapply(cells, label_of, "", names = names)
    shared <- intersect(labels[at == hypothesis$levels[[1]]], labels[at == hypothesis$levels[[2]]])
    if (length(shared) == 0 || length(unique(level_of(name))) < 2) next
    columns <- lapply(c(hypothesis$factor, names), function(each) {
      levels <- sort(unique(level_of(each)))[-1]
      outer(level_of(each), levels, `==`) + 0
    })
    design <- cbind(1, do.call(cbind, columns))
    if (qr(design)$rank == ncol(design)) found <- c(found, name)
  }
  found
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

# The row of what cannot be fitted, which the message explains.
not_analysed <- function(name, why) {
  message(name, ": ", why, ": not analysed")
  data.frame(
    kind = "not analysed", name = name, model = "not analysed", estimate = NA, error = NA, df = NA, p = NA,
    p_corrected = NA, n = 0
  )
}

differences <- function(episodes, plan) {
  found <- NULL
  lost <- function(hypothesis, why) {
    cbind(not_analysed(hypothesis$name, why), is_primary = is_primary(hypothesis))
  }
  for (hypothesis in plan$hypotheses) {
    rows <- with_outcome(episodes, hypothesis$outcome)
    if (is.null(rows)) {
      why <- paste("the export has no values of", hypothesis$outcome)
      found <- rbind(found, lost(hypothesis, why))
      next
    }
    rows <- contrast(rows, hypothesis)
    at_level <- tapply(rows$group_id, rows$x, function(ids) length(unique(ids)))
    if (length(at_level) < 2 || min(at_level) < 2) {
      found <- rbind(found, lost(hypothesis, "a level has too few groups to compare"))
      next
    }
    model <- declared_model(plan, hypothesis)
    unknown <- setdiff(model$covariates, c("order", sub("^f_", "", grep("^f_", names(rows), value = TRUE))))
    if (length(unknown) > 0) {
      why <- paste(paste(unknown, collapse = ", "), "in its model is no factor")
      model <- model_of("episode", problem = why)
    }
    if (are_of_people(rows) && model$unit == "episode") {
      message(hypothesis$name, ": ", hypothesis$outcome, " is of people: their means are compared")
      model <- model_of("participant")
    }
    if (model$problem != "") {
      message(hypothesis$name, ": ", model$problem, ": attempts are compared instead")
    }
    if (model$unit == "episode" && length(model$random) == 0) {
      for (name in other_factors(hypothesis, model$covariates)) {
        beside <- model_of("episode", c(model$covariates, name))
        if (problem_of(rows, beside) == "") {
          model <- beside
        } else {
          message(hypothesis$name, ": ", name, " tells nothing apart in the data that are compared")
        }
      }
    }
    why <- if (model$unit == "episode") problem_of(rows, model) else ""
    fit <- if (why != "") {
      list(why = why)
    } else if (model$unit != "episode") {
      of_means(rows, is_within_groups(hypothesis), if (are_of_people(rows)) held_nothing else balance_of(hypothesis))
    } else if (length(model$random) > 0) {
      mixed(rows, model)
    } else {
      clustered(rows, model)
    }
    if (is.null(fit$why) && is.na(p_value(fit, hypothesis))) fit$why <- "its values do not vary"
    if (!is.null(fit$why)) {
      found <- rbind(found, lost(hypothesis, fit$why))
      next
    }
    if (identical(hypothesis$direction, "equivalent")) {
      ends <- fit$estimate + c(-1, 1) * qt(0.95, fit$df) * fit$error
      told <- paste(format(ends, digits = 6, trim = TRUE), collapse = " to ")
      message(hypothesis$name, ": 90 % interval, of two one-sided tests at 5 %: ", told)
    }
    if (isTRUE(fit$left_out > 0)) {
      message(hypothesis$name, ": groups with one of the levels alone, left out: ", fit$left_out)
    }
    if (isTRUE(fit$apart > 0)) {
      message(hypothesis$name, ": groups with both levels, but never in the same conditions, left out: ", fit$apart)
    }
    if (isTRUE(fit$fewer > 0)) {
      message(hypothesis$name, ": groups compared on fewer conditions than planned: ", fit$fewer)
    }
    found <- rbind(found, data.frame(
      kind = "difference", name = hypothesis$name, model = model$name, estimate = fit$estimate,
      error = fit$error, df = fit$df, p = p_value(fit, hypothesis), p_corrected = NA, n = fit$n,
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

# Whether a success came while attempts of its stratum were going on at both levels. Where none did, each
# stratum has one level among those that could succeed: hazards of their own take all that times say.
has_rivals <- function(rows) {
  any(vapply(split(rows, rows$stratum), function(own) {
    last <- tapply(own$time_to_success, own$x, max)
    length(last) == 2 && any(own$succeeded & own$time_to_success <= min(last))
  }, NA))
}

hazards <- function(episodes, plan) {
  found <- NULL
  seen <- character(0)
  for (hypothesis in plan$hypotheses) {
    levels <- unlist(hypothesis$levels)
    name <- sprintf("%s: %s against %s", hypothesis$factor, levels[[1]], levels[[2]])
    if (name %in% seen) next
    rows <- contrast(episodes[!is.na(episodes$time_to_success), ], hypothesis)
    events <- c(sum(rows$succeeded[rows$x == 1]), sum(rows$succeeded[rows$x == 0]))
    told <- paste(events[[1]], "and", events[[2]], "successes with a time")
    others <- other_factors(hypothesis)
    by <- paste(c("task", others), collapse = " and ")
    # A hazard of its own for each says nothing of how another factor acts, which a term would.
    rows$stratum <- do.call(paste, c(rows[c("task_id", if (length(others) > 0) paste0("f_", others))], sep = "\n"))
    seen <- c(seen, name)
    why <- if (min(events) < least_events) {
      paste0(", of ", least_events, " that each level needs")
    } else if (!has_rivals(rows)) {
      paste0(", but at no ", by, " while both levels were trying")
    }
    if (!is.null(why)) {
      found <- rbind(found, not_analysed(name, paste0(told, why)))
      next
    }
    # It warns where an estimate is infinite: where levels separate successes.
    fit <- tryCatch(
      coxph(
        Surv(time_to_success, succeeded) ~ x + strata(stratum),
        data = rows, cluster = group_id
      ),
      warning = function(problem) NULL
    )
    if (is.null(fit)) {
      why <- paste0(told, ", but the fit does not converge, as where levels separate them")
      found <- rbind(found, not_analysed(name, why))
      next
    }
    message(name, ": ", told)
    one <- summary(fit)$coefficients["x", ]
    found <- rbind(found, data.frame(
      kind = "log hazard", name = name, model = paste("Cox, stratified by", by), estimate = one[["coef"]],
      error = one[["robust se"]], df = Inf, p = one[["Pr(>|z|)"]], p_corrected = NA, n = nrow(rows)
    ))
  }
  found
}

study <- jsonlite::fromJSON(file.path(folder, "manifest.json"), simplifyVector = FALSE)$study
plan <- study$analysis
if (is.null(plan)) stop("the study declared no analysis: there is no hypothesis to test")
kept <- without_excluded(plan)
is_of_retries <- vapply(plan$hypotheses, function(one) startsWith(one$outcome, "episodes.retry_"), NA)
if (any(is_of_retries)) tell_failed_first_tries()
episodes <- attempts()
found <- rbind(differences(episodes, plan), hazards(episodes, plan))
if (is.null(found)) stop("there is nothing to report: the plan declares no hypothesis")
write.table(format(found, digits = 8, trim = TRUE), sep = "\t", quote = FALSE, row.names = FALSE)
