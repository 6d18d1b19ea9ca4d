/** Part of `Storage` that this needs. */
export type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Part of a form's field that this needs. */
export interface Field {
  readonly name: string;
  readonly type: string;
  value: string;
  checked?: boolean;
}

type Filled = [name: string, value: string][];

/** What is kept of all forms of one step. */
interface Stored {
  step: string;
  forms: [path: string, filled: Filled][];
}

const KEY = "cohabit.draft";
const UNFILLED = new Set(["hidden", "submit", "button", "reset", "file", "password"]);

/** Copy of what forms have, in their tab and at once: a reload that is faster than the draft on its way to the server
    finds it.

    It holds for one step of one visit, which `step` names: nothing of it is left for the next page, nor for somebody
    else who comes in the same tab. */
export class DraftCopy {
  private readonly forms: Map<string, Filled>;

  /** `kept` is where it is; null where the browser keeps nothing. */
  constructor(
    private readonly step: string,
    private readonly kept: Kept | null = storage(),
  ) {
    this.forms = read(kept?.getItem(KEY) ?? null, step);
    if (this.forms.size === 0) kept?.removeItem(KEY);
  }

  keep(path: string, fields: Iterable<Field>): void {
    this.forms.set(path, [...fields].filter(isFilled).map(({ name, value }) => [name, value]));
    this.write();
  }

  /** Fill in what was kept of a form; tell whether that was anything else than its fields had. */
  bringBack(path: string, fields: Iterable<Field>): boolean {
    const filled = this.forms.get(path);
    if (!filled) return false;
    let changed = false;
    for (const field of fields) {
      if (!isKept(field)) continue;
      const values = filled.filter(([name]) => name === field.name).map(([, value]) => value);
      if (isChoice(field)) {
        const checked = values.includes(field.value);
        changed ||= checked !== field.checked;
        field.checked = checked;
      } else {
        const value = values[0] ?? "";
        changed ||= value !== field.value;
        field.value = value;
      }
    }
    return changed;
  }

  forget(path: string): void {
    this.forms.delete(path);
    this.write();
  }

  private write(): void {
    try {
      const stored: Stored = { step: this.step, forms: [...this.forms] };
      this.kept?.setItem(KEY, JSON.stringify(stored));
    } catch {
      // Storage may be full or forbidden: then a reload finds what the server has.
    }
  }
}

function isKept({ name, type }: Field): boolean {
  return name !== "" && !UNFILLED.has(type);
}

function isChoice({ type }: Field): boolean {
  return type === "radio" || type === "checkbox";
}

function isFilled(field: Field): boolean {
  return isKept(field) && (!isChoice(field) || field.checked === true);
}

function read(text: string | null, step: string): Map<string, Filled> {
  try {
    const stored = JSON.parse(text ?? "null") as Partial<Stored> | null;
    return new Map(stored?.step === step ? stored.forms : []);
  } catch {
    return new Map();
  }
}

function storage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
