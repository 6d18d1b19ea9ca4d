// What can stand between somebody who watches and the scene.
import { lossOf } from "../session/connection_state";
import type { ConnectionState } from "../session/connection_state";
import type { Loading } from "../session/loading";
import type { Screen } from "../ui/screens";

const LIST = { label: "All sessions", action: "home" } as const;
const RELOAD = { label: "Reload the page", action: "reload" } as const;

/** Return what covers the scene now; null when nothing does. */
export function watchScreenOf(link: ConnectionState, loading: Loading): Screen | null {
  if (link.kind === "closed") return closedScreen(link.cause);
  const loss = lossOf(link);
  if (loss) {
    return {
      id: loss.cause,
      title: loss.cause === "restarting" ? "The server is restarting" : "Reconnecting",
      text: "The connection was lost. Trying again …",
      actions: [LIST],
    };
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
    case "refused":
      return {
        id: "full",
        title: "No more can watch this session",
        text: "As many browsers watch it as the server allows. Close one of them and try again.",
        actions: [RELOAD, LIST],
      };
    case "version":
      return { id: cause, title: "There is a new version", text: "Reload to go on watching.", actions: [RELOAD] };
    case "not_you":
      return {
        id: cause,
        title: "Please sign in again",
        text: "The server was restarted, you have signed out, or you signed in more than twelve hours ago. Then you are led back here.",
        actions: [{ label: "Sign in", action: "reload" }, LIST],
      };
  }
  return { id: cause, title: "Disconnected", text: "Reloading often helps.", actions: [RELOAD, LIST] };
}
