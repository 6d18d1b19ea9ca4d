// The line across the top: what keeps somebody from playing now, and for how long.

export interface Waiting {
  phase: string;
  /** Of the own seat and of the partner's; empty: there is no partner. */
  own: string;
  partner: string;
  /** How long each is still waited for; -1: nobody is. */
  ownLeftS: number;
  partnerLeftS: number;
}

/** Empty for nothing to say. */
export function bannerOf(now: Waiting): string {
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
