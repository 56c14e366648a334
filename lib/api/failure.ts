import { refusalText } from '@/lib/http/refusal';
import { isDatabaseTrouble } from '@/lib/platform/database';
import { noteTrouble } from '@/lib/platform/database-trouble';
import { type Failure, isFailure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { type Answer, json } from './answer';

/** Logs what nobody foresaw. */
export function report(request: Request, error: unknown): void {
  log.error({
    event: 'server_error',
    status: 500,
    method: request.method,
    path: new URL(request.url).pathname,
    err: error,
  });
}

/** True for trouble of the database, which is of the moment and stands in the log by itself, and for a write that gave way to others once too often. */
const isOfMoment = (error: unknown): boolean => noteTrouble(error) !== null || isDatabaseTrouble(error);

const unanswered = 'The site cannot reach its database at the moment. Try again in a few seconds.';

/** What a form is told of an error: its own words where it is a Failure. */
export function failureOf(request: Request, error: unknown): Pick<Failure, 'message' | 'fields'> {
  if (isFailure(error)) return error;
  if (isOfMoment(error)) return { message: unanswered, fields: {} };
  report(request, error);
  return { message: 'Something went wrong on our side. Send the form again in a moment.', fields: {} };
}

/** The answer to a call that failed: a Failure its own status, a database that does not answer 503, anything else a bare 500, which is logged; each with what the call's refusals carry. */
export function refusalOf(request: Request, error: unknown, carried: Readonly<Record<string, unknown>> = {}): Answer {
  if (isFailure(error)) {
    const body = {
      status: error.status,
      message: refusalText(error.status, error.message),
      ...(Object.keys(error.fields).length ? { fields: error.fields } : {}),
      ...carried,
      ...error.details,
    };
    return json(JSON.stringify(body), error.status, { 'cache-control': 'no-store', ...furtherHeaders[error.status] });
  }
  if (isOfMoment(error))
    return json(JSON.stringify({ status: 503, message: unanswered, ...carried }), 503, {
      'cache-control': 'no-store',
      'retry-after': '5',
    });
  report(request, error);
  return json(JSON.stringify({ status: 500, message: 'Internal Server Error', ...carried }), 500, {
    'cache-control': 'no-store',
  });
}

const furtherHeaders: Partial<Record<number, Record<string, string>>> = {
  401: { 'www-authenticate': 'Bearer' },
  // What is still to come of the body is not waited for.
  408: { connection: 'close' },
  429: { 'retry-after': '60' },
  503: { 'retry-after': '60' },
};
