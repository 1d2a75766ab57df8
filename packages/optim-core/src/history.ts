/** The iterations that a run keeps: none, all, or the last `capacity` of them in a ring. */
export class History<T> {
  private readonly items: T[] = [];
  private readonly capacity: number;
  private oldest = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  add(item: T): void {
    if (this.items.length < this.capacity) {
      this.items.push(item);
    } else if (this.capacity > 0) {
      this.items[this.oldest] = item;
      this.oldest = (this.oldest + 1) % this.capacity;
    }
  }

  /** In the order in which they came. */
  list(): readonly T[] {
    return [...this.items.slice(this.oldest), ...this.items.slice(0, this.oldest)];
  }
}
