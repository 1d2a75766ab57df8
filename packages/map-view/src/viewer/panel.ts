/** What is known of the chosen point or points, beside the map. All text goes in as text. */
import { calledIn, type Payload } from "./payload.js";

/** Rows of a list that are shown; the file has all. */
const mostListed = 200;

export interface PanelActions {
  /** A row of a list was clicked. */
  choose(row: number): void;
  save(rows: readonly number[]): void;
  close(): void;
}

export class Panel {
  constructor(
    private readonly element: HTMLElement,
    private readonly payload: Payload,
    private readonly actions: PanelActions,
  ) {}

  clear(): void {
    this.element.replaceChildren();
  }

  /** One point, with its neighbours. */
  showPoint(row: number, nearInData: readonly number[] | undefined, nearInMap: readonly number[]): void {
    this.begin(calledIn(this.payload, row));
    const facts = this.element.appendChild(document.createElement("dl"));
    const fact = (name: string, value: string): void => {
      facts.appendChild(document.createElement("dt")).textContent = name;
      facts.appendChild(document.createElement("dd")).textContent = value;
    };
    if (this.payload.names?.[row]) fact("row", String(row + 1));
    for (const { name, values } of this.payload.columns) fact(name, values[row] || "–");
    if (nearInData !== undefined) {
      const kept = nearInData.filter((n) => nearInMap.includes(n)).length;
      this.heading(`Nearest in the data (${kept} of ${nearInData.length} are among those in the map)`);
      this.list(nearInData, "near-in-data");
    }
    this.heading("Nearest in the map");
    this.list(nearInMap, "near-in-map");
  }

  /** Several points, with a button that saves them. */
  showPoints(title: string, rows: readonly number[]): void {
    this.begin(title);
    if (rows.length > 0) {
      const save = this.button("Save as CSV", () => this.actions.save(rows));
      save.className = "action";
      this.list(rows, "rows");
    }
  }

  private begin(title: string): void {
    this.element.replaceChildren();
    const close = this.button("×", () => this.actions.close());
    close.className = "close";
    close.setAttribute("aria-label", "Close");
    this.heading(title);
  }

  private heading(words: string): void {
    this.element.appendChild(document.createElement("h2")).textContent = words;
  }

  private button(words: string, act: () => void): HTMLButtonElement {
    const button = this.element.appendChild(document.createElement("button"));
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", act);
    return button;
  }

  private list(rows: readonly number[], name: string): void {
    const list = this.element.appendChild(document.createElement("ol"));
    list.className = name;
    for (const row of rows.slice(0, mostListed)) {
      const button = list
        .appendChild(document.createElement("li"))
        .appendChild(document.createElement("button"));
      button.type = "button";
      const dot = button.appendChild(document.createElement("i"));
      dot.style.background = this.payload.classes[this.payload.classOf[row]].color;
      button.appendChild(document.createElement("span")).textContent = calledIn(this.payload, row);
      button.addEventListener("click", () => this.actions.choose(row));
    }
    if (rows.length > mostListed)
      this.element.appendChild(document.createElement("p")).textContent =
        `and ${(rows.length - mostListed).toLocaleString("en-US")} more`;
  }
}
