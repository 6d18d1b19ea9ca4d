/** Return where a page may go: a path of this site, or else `missing`. */
export function sitePath(url: unknown, missing = "/"): string {
  return typeof url === "string" && /^\/(?![/\\])/.test(url) ? url : missing;
}
