/** Most times between presses that are told. */
const MOST_GAPS = 40;

/** Times of the last presses of keys and pointer on a page, of which only the gaps are told: no key, no place. */
export class Presses {
  private readonly times: number[] = [];

  /** Note a press at `ms`; a key that is held repeats itself, and is none. */
  note(ms: number, isRepeat = false): void {
    if (isRepeat) return;
    this.times.push(ms);
    if (this.times.length > MOST_GAPS + 1) this.times.shift();
  }

  get gapsMs(): number[] {
    return this.times.slice(1).map((time, index) => Math.round(10 * (time - (this.times[index] ?? time))) / 10);
  }
}

/** Send with a form how its page was used, which the study's privacy page names. */
export function tellUse(form: HTMLFormElement, presses: Presses): void {
  form.addEventListener("submit", () => {
    tell(form, "seen.automated", navigator.webdriver ? "1" : "");
    tell(form, "seen.gaps_ms", presses.gapsMs.join(","));
  });
}

function tell(form: HTMLFormElement, name: string, value: string): void {
  const field = form.querySelector<HTMLInputElement>(`input[name="${name}"]`) ?? document.createElement("input");
  field.type = "hidden";
  field.name = name;
  field.value = value;
  form.append(field);
}
