type Child = Node | string | null | undefined | false;

interface Properties {
  class?: string;
  id?: string;
  testid?: string;
  text?: string;
  title?: string;
  /** Any other attributes. */
  at?: Record<string, string>;
  on?: Record<string, (event: Event) => void>;
}

/** Make an element: `el("p", { class: "hint", text: "…" })`. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (properties.class) element.className = properties.class;
  if (properties.id) element.id = properties.id;
  if (properties.testid) element.dataset.testid = properties.testid;
  if (properties.text !== undefined) element.textContent = properties.text;
  if (properties.title) element.title = properties.title;
  for (const [name, value] of Object.entries(properties.at ?? {})) element.setAttribute(name, value);
  for (const [name, handler] of Object.entries(properties.on ?? {})) element.addEventListener(name, handler);
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

/** Make a button that gives the focus back after a click with the mouse, so that keys walk again. */
export function button(
  label: string,
  onClick: () => void,
  properties: Properties = {},
  ...children: Child[]
): HTMLButtonElement {
  const made = el("button", { ...properties, at: { type: "button", ...properties.at } }, ...children);
  if (label) made.append(label);
  made.addEventListener("click", (event) => {
    if (event.detail > 0) made.blur();
    onClick();
  });
  return made;
}

/** Write a text if it changed: live regions read out whatever is written. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Show or hide an element. */
export function toggle(element: HTMLElement, shown: boolean): void {
  if (element.hidden === shown) element.hidden = !shown;
}
