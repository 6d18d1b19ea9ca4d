// What holds for a whole session beside its world: how people are called, and how long they wait.

/** The terms of a session. */
export interface SessionTerms {
  /** Whether everybody is called by name, also where there is only one other: in a team. */
  named: boolean;
  /** Seconds that the others have to finish once a person has; 0: no limit. */
  finishWaitS: number;
  /** Seconds for which the clock waits for the others after the first has begun; 0: it does not,
      and starts with the episode; -1: that is not told. */
  clockWaitS: number;
}

/** The terms where nothing is told. */
export const USUAL_TERMS: SessionTerms = { named: false, finishWaitS: 0, clockWaitS: -1 };
