// The settings of a player, kept in the browser.
import { COMMANDS, DEFAULT_BINDINGS } from "./bindings";
import type { Bindings, Command } from "./bindings";

export interface Settings {
  bindings: Bindings;
  /** A factor to the usual sensitivity of the pointer. */
  sensitivity: number;
  invertY: boolean;
  sound: boolean;
  /** A level of `QUALITIES`; -1 to have it chosen. */
  quality: number;
}

const KEY = "cohabit.settings";

export function defaultSettings(): Settings {
  return { bindings: structuredClone(DEFAULT_BINDINGS), sensitivity: 1, invertY: false, sound: true, quality: -1 };
}

/** Read settings from stored text; what is damaged or missing is as usual. */
export function parseSettings(text: string | null): Settings {
  const settings = defaultSettings();
  let stored: Partial<Record<keyof Settings, unknown>>;
  try {
    stored = (JSON.parse(text ?? "{}") ?? {}) as typeof stored;
  } catch {
    return settings;
  }
  const { sensitivity, invertY, sound, quality, bindings } = stored;
  if (typeof sensitivity === "number" && sensitivity >= 0.2 && sensitivity <= 3) {
    settings.sensitivity = sensitivity;
  }
  if (typeof invertY === "boolean") settings.invertY = invertY;
  if (typeof sound === "boolean") settings.sound = sound;
  if (typeof quality === "number" && Number.isInteger(quality)) settings.quality = quality;
  if (typeof bindings === "object" && bindings !== null) {
    for (const command of Object.keys(COMMANDS) as Command[]) {
      const codes: unknown = (bindings as Record<string, unknown>)[command];
      if (Array.isArray(codes) && codes.every((code) => typeof code === "string")) {
        settings.bindings[command] = codes;
      }
    }
  }
  return settings;
}

export function loadSettings(): Settings {
  try {
    return parseSettings(localStorage.getItem(KEY));
  } catch {
    return defaultSettings();
  }
}

export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // They are then kept as long as the page is open.
  }
}
