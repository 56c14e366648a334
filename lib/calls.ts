import type { calls } from '@/app/api/calls';

type Table = typeof calls;

/** A method that a call of the API can have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The path of a call under /api, with its parameters in braces. */
export type CallPath = keyof Table;

/** A call by its method and path, as in 'GET /fixture/{reference}'. */
export type CallName = { [P in CallPath]: `${keyof Table[P] & Method} ${P}` }[CallPath];

type Split<N extends CallName> = N extends `${infer M} ${infer P}` ? [M, P] : never;
type TypesOf<N extends CallName> =
  Split<N> extends [infer M extends Method, infer P extends CallPath]
    ? M extends keyof Table[P]
      ? Table[P][M] extends { types?: infer T }
        ? NonNullable<T>
        : never
      : never
    : never;
type Part<N extends CallName, K extends string> = TypesOf<N> extends Record<K, infer T> ? T : never;

// In an address everything is text; whoever asks gives what is written as such.
type Written<T> = {
  readonly [K in keyof T]:
    | T[K]
    | (string extends T[K] ? number | boolean : never)
    | ('true' extends T[K] ? boolean : never);
};

type ReadonlyDeep<T> = T extends Blob ? T : T extends object ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> } : T;

// Left out where the call takes nothing, free to leave out where it can do without.
type Need<K extends string, T> = [keyof NonNullable<T>] extends [never]
  ? { readonly [key in K]?: undefined }
  : undefined extends T
    ? { readonly [key in K]?: T }
    : Record<never, never> extends T
      ? { readonly [key in K]?: T | undefined }
      : { readonly [key in K]: T };

/** What a call takes in its address. */
export type Place<N extends CallName> = Need<'params', Written<Part<N, 'params'>>> &
  Need<'query', Written<Part<N, 'query'>>>;

/** What a call takes in its address and its body; `idempotencyKey` where it is done once under a name. */
export type Ask<N extends CallName> = Place<N> &
  Need<'body', ReadonlyDeep<Part<N, 'body'>>> &
  KeyOf<Part<N, 'headers'>>;

type KeyOf<H> = H extends { 'idempotency-key': string }
  ? { readonly idempotencyKey: string }
  : 'idempotency-key' extends keyof H
    ? { readonly idempotencyKey?: string }
    : { readonly idempotencyKey?: undefined };

/** What a call answers when it does not refuse. */
export type AnswerOf<N extends CallName> = Part<N, 'answer'>;

/** Nothing needs to be given where a call needs nothing. */
export type Given<T> = Record<never, never> extends T ? [given?: T] : [given: T];

type AnyPlace = {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
};

/** The method of a call, and its path under /api with these parameters in it. */
export function requestLine(name: CallName, { params = {} }: AnyPlace): { method: Method; path: string } {
  const [method, pattern = ''] = name.split(' ') as [Method, string];
  const path = pattern.replace(/\{(?:\.{3})?(\w+)\}/g, (_, parameter: string) =>
    [params[parameter]]
      .flat()
      .map((part) => encodeURIComponent(String(part)))
      .join('/'),
  );
  return { method, path };
}

/** The address at a path under /api, with these parameters after the question mark. */
export function addressAt(path: string, query: AnyPlace['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const written = new URLSearchParams(given).toString();
  return `/api${path}${written && `?${written}`}`;
}

/** The address of a call, to link to or to send a form to. */
export function callAddress<N extends CallName>(name: N, ...[place]: Given<Place<N>>): string {
  const given: AnyPlace = place ?? {};
  return addressAt(requestLine(name, given).path, given.query);
}
