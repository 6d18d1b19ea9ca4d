/** Return a duration as minutes and seconds: 75 is `1:15`. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Return a duration in words: `a minute`, `2 minutes`, `90 seconds`. */
export function spokenTime(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60 || whole % 60 !== 0) return whole === 1 ? "a second" : `${whole} seconds`;
  return whole === 60 ? "a minute" : `${whole / 60} minutes`;
}
