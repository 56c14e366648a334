import { type CallName, requestLine } from '@/lib/calls';

type Given = {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
} & Readonly<Record<string, unknown>>;

/** What `api` was given, as it goes out: the path under /api with its parameters, and the rest with the method unless it is GET. */
export function asSent(name: CallName, given?: Given): [path: string, options?: Record<string, unknown>] {
  const { method, path } = requestLine(name, given ?? {});
  const { params: _, ...rest } = given ?? {};
  const options = { ...(method === 'GET' ? {} : { method }), ...rest };
  return Object.keys(options).length === 0 ? [path] : [path, options];
}

/** What `submitEdit` was given, as it waits. */
export function asEdit(name: CallName, { params = {}, ...rest }: Given, what: string): Record<string, unknown> {
  return { ...requestLine(name, { params }), ...rest, what };
}
