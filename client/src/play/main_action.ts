// The main action of a thing: what a double click on it does.
import type { ActionInfo } from "../wire/generated";
import type { Entity } from "../world/world";

/** The verbs that a double click may mean; the first that is possible counts. */
const MAIN_VERBS = ["pick", "open", "close", "power_on", "power_off"] as const;

/** Return the verb of an entity's main action; null for none. `offered` is what the server says can
    be done; null while it has not said so, when the kind and the state of the thing decide. */
export function mainVerb(entity: Entity, part: number, offered: ActionInfo[] | null): string | null {
  for (const verb of MAIN_VERBS) {
    if (offered?.some((action) => action.verb === verb && action.possible)) return verb;
  }
  if (entity.template.kind === "object") return "pick";
  if (entity.parts.length === 0) return null;
  const value = part >= 0 ? entity.parts[part] : entity.parts.find((v) => v !== 0);
  return value ? "close" : "open";
}
