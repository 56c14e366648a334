import { type LookupAddress, lookup as resolve } from 'node:dns';
import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { env } from './env';
import { singleton } from './singleton';

const notPublic = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  notPublic.addSubnet(net, bits, 'ipv4');
// Documentation, Teredo and its kin, 6to4: these lead to what stands in them, or nowhere.
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(net, bits, 'ipv6');
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

/** True for an address of the public internet: none of a private, local, shared, reserved or translated network. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  return isIP(address) === 6 && global.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');
const portOf = ({ port, protocol }: URL) => port || (protocol === 'http:' ? '80' : '443');

/** True for a host that the operator allows although it is not public. */
const isAllowed = (url: URL) => env().TIPLEDGER_OUTGOING_PRIVATE.includes(`${hostOf(url)}:${portOf(url)}`);

/** Why nothing is sent to an address that somebody gave, in a sentence that says what to give instead; null when it may be tried. What a name stands for is looked at when it is sent. */
export function whyNotReachable(address: string): string | null {
  if (!URL.canParse(address)) return 'Write a whole address, such as https://example.com/hook.';
  const url = new URL(address);
  if (url.username || url.password) return 'Leave the name and password out of the address.';
  if (isAllowed(url)) return null;
  if (url.protocol !== 'https:') return 'The address must begin with https://.';
  const host = hostOf(url);
  const isLocal = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host) || !/[.:]/.test(host);
  return (isIP(host) !== 0 && !isPublicAddress(host)) || isLocal
    ? 'The address must be one of the public internet.'
    : null;
}

/** Looks a name up, at the moment of sending, and gives only what it found if all of it is public: the address that was judged is the one that is connected to. */
const publicLookup: LookupFunction = (host, options, callback) => {
  resolve(host, { all: true, ...(options.family !== undefined && { family: options.family }) }, (error, found) => {
    const [first] = found ?? [];
    if (error || !first) return callback(error ?? new Error('There is no such host.'), '');
    if (found.some(({ address }: LookupAddress) => !isPublicAddress(address)))
      return callback(new Error('The address leads into a network that is not public.'), '');
    return options.all ? callback(null, found) : callback(null, first.address, first.family);
  });
};

/** What is sent to an address that somebody gave. */
export type Outgoing = {
  method: string;
  headers: Record<string, string | number>;
  body: string | Buffer;
  milliseconds: number;
  /** Goes over a connection that is kept for the next one to the same host: for services that many messages go to. */
  keepsConnection?: boolean;
};

const idleMilliseconds = 4_000;
const kept = { keepAlive: true, timeout: idleMilliseconds, maxFreeSockets: 64 };

/** Connections that are kept. Which address a name stands for is judged when one is made. */
const keptConnections = () =>
  singleton('outgoing-connections', () => ({
    plain: new PlainAgent(kept),
    secure: new SecureAgent({ ...kept, lookup: publicLookup }),
    allowed: new SecureAgent(kept),
  }));

function agentFor(url: URL, keepsConnection: boolean): PlainAgent | false {
  if (!keepsConnection) return false;
  const { plain, secure, allowed } = keptConnections();
  if (url.protocol === 'http:') return plain;
  return isAllowed(url) ? allowed : secure;
}

const longestAnswer = 4_096;

/**
 * Sends to an address that somebody else chose and gives the status and the beginning of the answer. It goes to public addresses by https
 * alone (and to those of TIPLEDGER_OUTGOING_PRIVATE), follows no redirect, and is over after `milliseconds`. Throws an Error that says why there was no answer.
 */
export async function sendOut(
  address: string,
  { method, headers, body, milliseconds, keepsConnection = false }: Outgoing,
): Promise<{ status: number; text: string }> {
  const problem = whyNotReachable(address);
  if (problem) throw new Error(problem);
  const url = new URL(address);
  const request = url.protocol === 'http:' ? plainRequest : secureRequest;
  const signal = AbortSignal.timeout(milliseconds);
  return new Promise((answer, fail) => {
    const sent = request(
      url,
      {
        method,
        headers,
        signal,
        agent: agentFor(url, keepsConnection),
        ...(!isAllowed(url) && { lookup: publicLookup }),
      },
      (response) => {
        let text = '';
        const end = () => answer({ status: response.statusCode ?? 0, text: text.slice(0, longestAnswer) });
        response.setEncoding('utf8');
        response.on('data', (piece: string) => {
          text += piece;
          if (text.length < longestAnswer) return;
          end();
          response.destroy();
        });
        response.on('end', end);
        response.on('error', fail);
      },
    );
    sent.on('error', (error) =>
      fail(signal.aborted ? new Error(`There was no answer within ${milliseconds / 1000} seconds.`) : error),
    );
    sent.end(body);
  });
}
