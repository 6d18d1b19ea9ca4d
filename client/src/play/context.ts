import type { Settings } from "../input/settings";
import type { Scenery } from "../scene/scenery";
import type { Hud } from "../ui/hud";
import type { ClientMessage } from "../wire/generated";
import type { World } from "../world/world";
import type { PageStatus } from "./page_status";
import type { Placement } from "./placement";
import type { PlayerBody } from "./player_body";
import type { EntitySelection } from "./selection";
import type { Sounds } from "./sounds";

/** What the parts of the play page know of the game. The game knows its parts, they know this: so
    imports run one way. */
export interface PlayContext {
  /** The page's copy of the world; null before the first snapshot. */
  readonly world: World | null;
  readonly settings: Settings;
  /** Whether the player plays by touch. */
  readonly touch: boolean;
  readonly hud: Hud;
  readonly scenery: Scenery;
  readonly body: PlayerBody;
  readonly selection: EntitySelection;
  readonly placement: Placement;
  readonly sounds: Sounds;
  readonly status: PageStatus;
  /** Send a message; return whether it went out. */
  send(message: ClientMessage): boolean;
}
