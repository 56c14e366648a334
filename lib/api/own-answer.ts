import type { Answer } from './answer';

/** An answer that is no JSON; a header that is empty is not sent. */
export abstract class OwnAnswer {
  /** What is sent to a request that was let in. */
  abstract answer(request: Request): Answer;
}

/** A file that stands on pages of other sites: whole, asked for anew each time it is shown, and with the one policy that it needs. */
export class Embedded extends OwnAnswer {
  constructor(
    readonly mediaType: string,
    readonly text: string,
    readonly policy: string,
  ) {
    super();
  }

  answer(request: Request): Answer {
    const headers: Answer['headers'] = [
      ['content-type', `${this.mediaType}; charset=utf-8`],
      ['cache-control', 'public, max-age=0, must-revalidate'],
      ['content-security-policy', this.policy],
      ['cross-origin-resource-policy', 'cross-origin'],
      // Who may frame it stands in the policy; this header could only refuse everybody.
      ['x-frame-options', ''],
    ];
    return { status: 200, headers, body: request.method === 'HEAD' ? null : this.text };
  }
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
