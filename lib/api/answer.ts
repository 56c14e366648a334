import type { Header } from '@/lib/http/stored-answer';

/** What a call answers, whoever sends it on: the status, the headers, and the body, whole or as it comes. */
export type Answer = {
  status: number;
  headers: readonly Header[];
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
};

/** The same as the web has it. */
export function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body, {
    status,
    headers: headers.filter(([, value]) => value !== '').map(([name, value]): [string, string] => [name, value]),
  });
}

/** An answer in JSON. */
export function json(text: string, status: number, headers: Record<string, string>): Answer {
  return {
    status,
    headers: [['content-type', 'application/json; charset=utf-8'], ...Object.entries(headers)],
    body: text,
  };
}
