/** Return the address of a websocket of the same site. */
export function socketUrl(path: string, base: string = window.location.href): string {
  const url = new URL(path, base);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  return url.href;
}
