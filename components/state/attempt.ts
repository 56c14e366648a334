/** A name of an attempt at a write that no other attempt has. */
export function newAttempt(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Product §8: names attempts at one write: the same content has the same name, so that a double click or another try after a lost answer does it once. */
export class Attempt {
  #content: string | null = null;
  #key = '';

  /** The name of the attempt to send this content, which JSON can hold. */
  keyFor(content: unknown): string {
    const text = JSON.stringify(content);
    if (text !== this.#content) {
      this.#content = text;
      this.#key = newAttempt();
    }
    return this.#key;
  }

  /** The same content is another attempt from now on, as once it was done. */
  end(): void {
    this.#content = null;
  }
}
