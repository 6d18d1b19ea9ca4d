import { button, el } from "../dom/el";
import { COMMANDS, DEFAULT_BINDINGS, keyWord, rebind } from "../input/bindings";
import type { Command } from "../input/bindings";
import type { Settings } from "../input/settings";
import { QUALITIES } from "../scene/quality";

/** The panel for keys, mouse, picture and sound. */
export class SettingsPanel {
  readonly root: HTMLElement;
  private readonly body = el("div", { class: "settings-body" });
  private waitingFor: Command | null = null;

  constructor(
    private settings: Settings,
    private readonly onChange: (settings: Settings) => void,
    onClose: () => void,
  ) {
    const close = button("", onClose, { class: "icon-button", at: { "aria-label": "Close the settings" } }, "×");
    this.root = el("section", { class: "panel settings", testid: "settings", at: { "aria-label": "Settings" } }, el("header", { class: "panel-head" }, el("h2", { text: "Settings" }), close), this.body);
    this.root.hidden = true;
    this.root.addEventListener("keydown", (event) => this.keydown(event));
    this.render();
  }

  private change(part: Partial<Settings>): void {
    this.settings = { ...this.settings, ...part };
    this.onChange(this.settings);
  }

  private render(): void {
    const { settings } = this;
    const sensitivity = el("input", { at: { type: "range", min: "0.3", max: "2.5", step: "0.1", value: String(settings.sensitivity) } });
    sensitivity.addEventListener("input", () => this.change({ sensitivity: Number(sensitivity.value) }));
    const quality = el("select", {}, el("option", { text: "automatic", at: { value: "-1" } }), ...QUALITIES.map(({ name }, i) => el("option", { text: name, at: { value: String(i) } })));
    quality.value = String(settings.quality);
    quality.addEventListener("change", () => this.change({ quality: Number(quality.value) }));
    this.body.replaceChildren(
      el("label", {}, "Look sensitivity", sensitivity),
      this.check("Invert up and down", settings.invertY, (invertY) => this.change({ invertY })),
      this.check("Sounds", settings.sound, (sound) => this.change({ sound })),
      el("label", {}, "Picture", quality),
      el("div", { class: "settings-bindings", testid: "key-bindings" },
        el("h3", { text: "Keys" }),
        el("div", { class: "settings-keys" }, ...(Object.keys(COMMANDS) as Command[]).map((command) => this.keyRow(command))),
        button("Reset the keys", () => {
          this.change({ bindings: structuredClone(DEFAULT_BINDINGS) });
          this.render();
        }, { class: "button" }),
      ),
    );
  }

  private check(label: string, value: boolean, set: (value: boolean) => void): HTMLElement {
    const box = el("input", { at: { type: "checkbox" } });
    box.checked = value;
    box.addEventListener("change", () => set(box.checked));
    return el("label", {}, label, box);
  }

  private keyRow(command: Command): HTMLElement {
    const codes = this.settings.bindings[command];
    const text = this.waitingFor === command ? "press a key …" : codes.map(keyWord).join(" / ") || "none";
    const key = button(text, () => {
      this.waitingFor = command;
      this.render();
      this.root.querySelector<HTMLElement>(`[data-command=${command}]`)?.focus();
    }, { class: "button key", at: { "data-command": command } });
    return el("div", { class: "settings-key" }, el("span", { text: COMMANDS[command] }), key);
  }

  private keydown(event: KeyboardEvent): void {
    const command = this.waitingFor;
    if (!command) return;
    event.preventDefault();
    event.stopPropagation();
    this.waitingFor = null;
    if (event.key !== "Escape") {
      this.change({ bindings: rebind(this.settings.bindings, command, event.code) });
    }
    this.render();
    this.root.querySelector<HTMLElement>(`[data-command=${command}]`)?.focus();
  }
}
