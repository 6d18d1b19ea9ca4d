// The names of seats among players, and whom a line of chat is addressed to. What a body is decides its
// name, never who plays it: that may be secret. The server has the same in `episodes/seat_names.py`.

export type SeatKind = "human" | "robot";

const WORDS: Record<SeatKind, string> = { human: "person", robot: "robot" };

/** What names are given to: a seat of a session. */
export interface NamedSeat {
  seatId: string;
  kind: SeatKind;
}

/** Return the names of a session's seats, by seat id: `robot`, or `robot 1` and `robot 2` where a kind
    occurs more than once. */
export function namesOf(seats: readonly NamedSeat[]): Map<string, string> {
  const counted: Partial<Record<SeatKind, number>> = {};
  return new Map(
    seats.map(({ seatId, kind }) => {
      const number = (counted[kind] = (counted[kind] ?? 0) + 1);
      const several = seats.filter((seat) => seat.kind === kind).length > 1;
      return [seatId, several ? `${WORDS[kind]} ${number}` : WORDS[kind]];
    }),
  );
}

/** Whom a line is for, and the line without that; without seats it is for everybody. */
export interface Addressed {
  seats: string[];
  rest: string;
}

/** Read whom a line is addressed to: `@robot 2 bring the cup`, also several after each other. */
export function addressed(text: string, names: ReadonlyMap<string, string>): Addressed {
  // The longest first, so that `robot 12` is not taken for `robot 1`.
  const known = [...names].sort(([, a], [, b]) => b.length - a.length);
  const seats: string[] = [];
  let rest = text.trim();
  for (;;) {
    const found = known.find(([, name]) => startsWithName(rest, name));
    if (!found) return { seats, rest };
    const [seatId, name] = found;
    if (!seats.includes(seatId)) seats.push(seatId);
    rest = rest.slice(name.length + 1).replace(/^[\s,:]+/, "");
  }
}

/** Return what somebody is called whom a line begins to address and who is not there: `nobody` of
    `@nobody hello`; empty where there is no such. */
export function unknownName(text: string, names: ReadonlyMap<string, string>): string {
  const { rest } = addressed(text, names);
  const gone = /^@((?:person|robot) \d+|[\p{L}\p{N}_]+)/iu.exec(rest);
  return gone?.[1] ?? "";
}

function startsWithName(text: string, name: string): boolean {
  const start = text.slice(0, name.length + 1).toLowerCase();
  return start === `@${name.toLowerCase()}` && !/^[\p{L}\p{N}_]/u.test(text.slice(name.length + 1));
}
