/** An answer that is no JSON and makes its response itself. */
export abstract class OwnAnswer {
  /** The response to the request that was let in. */
  abstract answer(request: Request): Response;
}
