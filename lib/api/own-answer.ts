/** An answer that is no JSON and makes its response itself. */
export abstract class OwnAnswer {
  /** The response to the request that was let in. */
  abstract answer(request: Request): Response;
}

/** An answer that sends whoever asks to another address of this site, which is the right one for some seconds. */
export class Elsewhere extends OwnAnswer {
  constructor(
    readonly address: string,
    readonly freshSeconds: number,
  ) {
    super();
  }

  answer(): Response {
    return new Response(null, {
      status: 302,
      headers: { location: this.address, 'cache-control': `public, max-age=${this.freshSeconds}` },
    });
  }
}
