import type { IncomingMessage } from 'node:http';

/** An address as a proxy writes it, without its port and the brackets that keep one of IPv6 apart from it. */
const withoutPort = (told: string) => /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/.exec(told)?.slice(1).find(Boolean) ?? told;

/**
 * The address that a request comes from: that of the connection, or, where so many proxies of ours stand before the program, the one that
 * the first of them wrote at the end of X-Forwarded-For. What stands further left anybody can write, and is not believed.
 */
export function visitorAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  proxies: number,
): string {
  const told = [headers['x-forwarded-for'] ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .map((address) => address.trim());
  return withoutPort((proxies > 0 ? told.at(-proxies) : undefined) ?? '') || (socket.remoteAddress ?? 'unknown');
}
