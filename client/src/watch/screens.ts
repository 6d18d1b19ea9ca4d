// What can stand between somebody who watches and the home.
import type { LinkState } from "../session/connection";
import type { Loading, Screen } from "../ui/screens";

const LIST = { label: "All sessions", action: "home" } as const;
const RELOAD = { label: "Reload the page", action: "reload" } as const;

/** What covers the scene now; null: nothing does. */
export function watchScreenOf(link: LinkState, loading: Loading): Screen | null {
  switch (link.kind) {
    case "closed":
      return closedScreen(link.cause);
    case "reconnecting":
      return {
        id: link.cause,
        title: link.cause === "restarting" ? "The server is restarting" : "Reconnecting",
        text: "The connection was lost. Trying again …",
        actions: [LIST],
      };
    case "connecting":
    case "open":
  }
  if (loading.world && loading.loaded >= loading.total) return null;
  return {
    id: "loading",
    title: "Getting the home ready",
    text: "This takes a few seconds the first time.",
    actions: [],
    progress: loading.total > 0 ? loading.loaded / loading.total : 0,
  };
}

function closedScreen(cause: string): Screen {
  switch (cause) {
    case "left":
    case "ended":
    case "no_session":
      return { id: "over", title: "This session is over", text: "Its last episode is stored.", actions: [LIST] };
    case "too_late":
      return {
        id: "full",
        title: "No more can watch this session",
        text: "As many browsers watch it as the server allows. Close one of them and try again.",
        actions: [RELOAD, LIST],
      };
    case "version":
      return { id: cause, title: "There is a new version", text: "Reload to go on watching.", actions: [RELOAD] };
    case "not_you":
      return { id: cause, title: "Please open it again", text: "The page was open for too long.", actions: [LIST] };
  }
  return { id: cause, title: "Disconnected", text: "Reloading often helps.", actions: [RELOAD, LIST] };
}
