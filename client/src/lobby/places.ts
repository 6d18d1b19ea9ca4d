import type { LobbyPlace } from "../wire/generated";

/** Show the places of a team, and who has them; nothing is written where nothing has changed. */
export function showPlaces(list: HTMLElement, places: readonly LobbyPlace[]): void {
  const shown = [...list.children].map(keyOf);
  const wanted = places.map(rowOf);
  if (wanted.length === shown.length && wanted.every((row, i) => keyOf(row) === shown[i])) return;
  list.replaceChildren(...wanted);
}

/** Hide the links of places that somebody has taken. */
export function hideTakenLinks(page: ParentNode, places: readonly LobbyPlace[]): void {
  const taken = new Set(places.filter((place) => place.look !== "").map((place) => place.look));
  for (const row of page.querySelectorAll<HTMLElement>("[data-place]")) {
    row.hidden = taken.has(row.dataset.place ?? "");
  }
}

function rowOf(place: LobbyPlace): HTMLElement {
  const row = document.createElement("li");
  row.className = "place";
  row.dataset.state = place.state;
  const name = document.createElement("span");
  name.className = "seat";
  if (place.look !== "") name.dataset.look = place.look;
  name.textContent = place.name;
  const state = document.createElement("span");
  state.className = "place-state";
  state.textContent = place.text;
  row.append(name, " ", state);
  return row;
}

function keyOf(row: Element): string {
  const look = row.querySelector<HTMLElement>(".seat")?.dataset.look ?? "";
  return `${look} ${row.textContent}`;
}
