import type { Difference } from './differences';

/** Compares one thing of a site with its record as that is known by then: what differs. */
export type Compare = () => Promise<Difference[]>;

const looksAgain = 3;

/** What differed at first sight: a site that is busy settles while it is asked, and its copies follow its record a little later. */
export class Doubts {
  #doubts: Compare[] = [];

  /** Compares, and doubts what differs. */
  async check(compare: Compare): Promise<void> {
    this.note(await compare(), compare);
  }

  /** Doubts what was found to differ; `again` compares it anew. */
  note(found: readonly Difference[], again: Compare): void {
    if (found.length > 0) this.#doubts.push(again);
  }

  /** Compares all of it again after a `rest`, each thing after `readOn`, which counts what was recorded: a few times, until nothing was; what differs still. */
  async lasting(readOn: () => Promise<number>, rest: () => Promise<void>): Promise<Difference[]> {
    let found: Difference[] = [];
    let recorded = 1;
    for (let look = 1; look <= looksAgain && this.#doubts.length > 0 && recorded > 0; look += 1) {
      await rest();
      recorded = 0;
      const lasting: Compare[] = [];
      found = [];
      for (const compare of this.#doubts) {
        recorded += await readOn();
        const differing = await compare();
        if (differing.length > 0) lasting.push(compare);
        found.push(...differing);
      }
      this.#doubts = lasting;
    }
    return found;
  }
}
