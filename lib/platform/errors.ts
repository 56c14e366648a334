/** Why a command or query refuses; each kind has one HTTP status. */
export type FailureKind =
  | 'invalid'
  | 'unauthorised'
  | 'forbidden'
  | 'missing'
  | 'too-slow'
  | 'conflict'
  | 'locked'
  | 'too-many'
  | 'unavailable';

const statuses: Record<FailureKind, number> = {
  invalid: 400,
  unauthorised: 401,
  forbidden: 403,
  missing: 404,
  'too-slow': 408,
  conflict: 409,
  locked: 423,
  'too-many': 429,
  unavailable: 503,
};

/** A refusal that the caller may be told about: a kind, a sentence that says what to do next, and the fields concerned. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly fields: Record<string, string>;
  /** What the caller needs to decide what to do next, as JSON; empty for most refusals. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    kind: FailureKind,
    message: string,
    fields: Record<string, string> = {},
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'Failure';
    this.kind = kind;
    this.fields = fields;
    this.details = details;
  }

  /** The HTTP status of this kind of refusal. */
  get status(): number {
    return statuses[this.kind];
  }
}

/** True for a Failure, of the given kind when one is named, also across module graphs. */
export function isFailure(error: unknown, kind?: FailureKind): error is Failure {
  return error instanceof Error && error.name === 'Failure' && (!kind || (error as Failure).kind === kind);
}
