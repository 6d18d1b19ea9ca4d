// The line across the top: what keeps somebody from playing now, and for how long.

/** All that decides what the line says. */
export interface PresenceSituation {
  phase: string;
  /** The presence of the own seat, then of the partner's, which is empty when there is none. */
  own: string;
  partner: string;
  /** Seconds for which each is still waited for; -1 when nobody is. */
  ownLeftS: number;
  partnerLeftS: number;
}

/** Return the line; empty when there is nothing to say. */
export function bannerOf(now: PresenceSituation): string {
  const partnerLeft = leftText(now.partnerLeftS);
  if (now.own === "away") {
    return `Are you still there? Press a key or move the mouse to go on${leftText(now.ownLeftS)}.`;
  }
  if (now.own === "gone") return "You were away for long. Press a key or move the mouse to come back.";
  const after = now.phase === "paused" ? "It goes on when your partner is back." : "You can go on.";
  switch (now.partner) {
    case "reconnecting":
      return `Your partner lost the connection and is reconnecting${partnerLeft}. ${after}`;
    case "away":
      return `Your partner is looking at something else${partnerLeft}. ${after}`;
    case "gone":
      return "Your partner has left. You can go on alone, or press Finish.";
    default:
      return "";
  }
}

function leftText(seconds: number): string {
  return seconds > 0 ? ` (${Math.ceil(seconds)} s left)` : "";
}
