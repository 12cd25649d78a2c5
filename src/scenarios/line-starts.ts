/** Finds the line of a character in a text. */
export class LineStarts {
  readonly #text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) this.#starts.push(end + 1);
  }

  /** The line and column of a character, both from 1, and the line itself without its end. */
  placeOf(offset: number): { line: number; column: number; text: string } {
    const line = this.#lineOf(offset);
    const start = this.#starts[line - 1] ?? 0;
    const end = this.#starts[line] ?? this.#text.length + 1;
    return { line, column: offset - start + 1, text: this.#text.slice(start, end - 1).replace(/\r$/, "") };
  }

  #lineOf(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}
