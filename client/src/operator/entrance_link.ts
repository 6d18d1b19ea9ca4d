// The operators' link: its secret stands behind the `#`, which no browser sends anywhere by itself.

/** Return the secret in the fragment of a link, or null. */
export function secretOf(fragment: string): string | null {
  return /^#once=([\w-]{16,128})$/.exec(fragment)?.[1] ?? null;
}

/** Enter with the secret of the link, and take it out of the address and the history. */
export function enterWithLink(): void {
  const secret = secretOf(location.hash);
  if (secret === null) return;
  history.replaceState(null, "", location.pathname + location.search);
  const field = document.getElementById("password");
  if (!(field instanceof HTMLInputElement)) return;
  field.value = secret;
  field.form?.requestSubmit();
}
