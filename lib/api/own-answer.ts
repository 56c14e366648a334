import type { Answer } from './answer';

/** An answer that is no JSON. */
export abstract class OwnAnswer {
  /** What is sent to a request that was let in. */
  abstract answer(request: Request): Answer;
}

/** An answer that sends whoever asks to another address of this site, which is the right one for some seconds. */
export class Elsewhere extends OwnAnswer {
  constructor(
    readonly address: string,
    readonly freshSeconds: number,
  ) {
    super();
  }

  answer(): Answer {
    const headers: Answer['headers'] = [
      ['location', this.address],
      ['cache-control', `public, max-age=${this.freshSeconds}`],
    ];
    return { status: 302, headers, body: null };
  }
}
