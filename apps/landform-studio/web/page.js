// What the program asks of the page: downloads, a worker for long work, and a mirror of its widgets.

/** Gives bytes to the person as a file. */
export function download(name, bytes) {
  const url = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the bytes after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Puts a fragment behind the page's address and gives all of it. */
export function link_with(fragment) {
  const url = new URL(location.href);
  url.hash = fragment;
  history.replaceState(null, "", url);
  return url.href;
}

/** Does work in a worker: evaluates recipes, makes files. `tell` gets each of its messages. */
export class Evaluator {
  constructor(tell) {
    this.tell = tell;
  }

  /** Begins with other work. What was under way is given up. */
  start(message) {
    // A worker looks at its messages only when it is done, so one that is busy is ended.
    if (this.busy) this.stop();
    if (!this.worker) {
      this.worker = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
      this.worker.onmessage = ({ data }) => {
        if (data.kind === "done") this.busy = false;
        this.tell(data);
      };
      this.worker.onerror = (event) => {
        this.close();
        this.tell({ kind: "failed", text: event.message || "the worker stopped" });
        this.tell({ kind: "done" });
      };
    }
    this.busy = true;
    this.worker.postMessage(message, message.arrays.map((array) => array.buffer));
  }

  /** Gives up what is under way. */
  stop() {
    if (this.busy) this.close();
  }

  /** Ends the worker; another begins with the next work. */
  close() {
    this.worker?.terminate();
    this.worker = undefined;
    this.busy = false;
  }
}

/** The tag of the element that stands for a widget. */
const TAGS = {
  Button: "button",
  CheckBox: "input",
  RadioButton: "input",
  Slider: "input",
  SpinButton: "input",
  TextInput: "input",
  MultilineTextInput: "textarea",
  Label: "span",
  Link: "a",
};
const TYPES = { CheckBox: "checkbox", RadioButton: "radio", Slider: "range" };
const ROLES = {
  ComboBox: "combobox",
  Image: "img",
  MenuItem: "menuitem",
  ProgressIndicator: "progressbar",
  SpinButton: "spinbutton",
  Window: "dialog",
};
const mirrored = new Map();

/**
 * Keeps invisible elements over the canvas, one for each widget, so that screen readers and tests find them.
 * The mouse goes through them to the canvas; a press by other means is passed on to `act`.
 */
export function mirror(widgets, act) {
  const home = document.getElementById("widgets");
  if (!home) return;
  const list = JSON.parse(widgets);
  const seen = new Set();
  list.forEach((widget, order) => {
    seen.add(widget.id);
    let entry = mirrored.get(widget.id);
    if (entry && entry.role !== widget.role) {
      entry.element.remove();
      entry = undefined;
    }
    if (!entry) {
      const element = document.createElement(TAGS[widget.role] ?? "div");
      if (TYPES[widget.role]) element.type = TYPES[widget.role];
      if (ROLES[widget.role]) element.setAttribute("role", ROLES[widget.role]);
      element.tabIndex = -1;
      element.addEventListener("click", (event) => {
        // Not a click of the mouse, which the canvas sees by itself.
        if (event.detail === 0) act(widget.id);
      });
      entry = { element, role: widget.role, shown: "" };
      mirrored.set(widget.id, entry);
    }
    const shown = JSON.stringify(widget);
    if (entry.shown !== shown) {
      entry.shown = shown;
      update(entry.element, widget);
    }
    if (home.children[order] !== entry.element) home.insertBefore(entry.element, home.children[order] ?? null);
  });
  for (const [id, { element }] of mirrored) {
    if (!seen.has(id)) {
      element.remove();
      mirrored.delete(id);
    }
  }
}

function update(element, widget) {
  const [left, top, right, bottom] = widget.rect;
  const { style } = element;
  style.left = `${left}px`;
  style.top = `${top}px`;
  style.width = `${right - left}px`;
  style.height = `${bottom - top}px`;
  if (element.tagName === "SPAN") element.textContent = widget.label || widget.value;
  else element.setAttribute("aria-label", widget.label);
  if (element.type === "checkbox" || element.type === "radio") element.checked = widget.value === "True";
  else if (element.type === "range") {
    const [low, high, value] = widget.range ?? [0, 1, 0];
    Object.assign(element, { min: low, max: high, step: "any", value });
    element.setAttribute("aria-valuetext", widget.value);
  } else if ("value" in element) element.value = widget.value;
  if ("disabled" in element) element.disabled = widget.disabled;
}
