/** What a report of delivery says of one mail of ours: the Message-ID that it had, and to whom it could not be brought for good, with the words of the server. */
export type MailReport = { messageId: string; failed: { addresses: string[]; because: string }[] };

/** Ours (0084): longer ones are no report of a server, in characters. */
export const longestReport = 1_000_000;
const mostParts = 20;
const mostRecipients = 50;
const mostHeaders = 500;

type Part = { headers: ReadonlyMap<string, string>; body: string };

/** The headers of a text up to its first empty line, by their names in lower case, and what follows. Of several of one name the first counts. */
function partOf(text: string): Part {
  const end = /\r?\n\r?\n/.exec(text);
  const [head, body] = end ? [text.slice(0, end.index), text.slice(end.index + end[0].length)] : [text, ''];
  return { headers: headersIn(head), body };
}

function headersIn(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  let last: string | null = null;
  for (const line of head.split(/\r?\n/).slice(0, mostHeaders)) {
    if (/^[ \t]/.test(line)) {
      if (last !== null) headers.set(last, `${headers.get(last) ?? ''} ${line.trim()}`.slice(0, 2_000));
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    last = /^[a-z0-9-]{1,60}$/.test(name) && !headers.has(name) ? name : null;
    if (last !== null)
      headers.set(
        last,
        line
          .slice(colon + 1)
          .trim()
          .slice(0, 2_000),
      );
  }
  return headers;
}

const typeOf = ({ headers }: Part) => /^[^;\s]*/.exec(headers.get('content-type') ?? '')?.[0].toLowerCase() ?? '';

function parameterOf({ headers }: Part, name: string): string | null {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]{1,200})"|([^\\s;"]{1,200}))`, 'i').exec(
    headers.get('content-type') ?? '',
  );
  return found?.[1] ?? found?.[2] ?? null;
}

/** The parts of a multipart body; those of one that never ends are none. */
function partsOf(part: Part): Part[] {
  const boundary = parameterOf(part, 'boundary');
  if (boundary === null) return [];
  const lines = part.body.split(/\r?\n/);
  const parts: Part[] = [];
  let open: string[] | null = null;
  for (const line of lines) {
    const isEnd = line.trimEnd() === `--${boundary}--`;
    if (isEnd || line.trimEnd() === `--${boundary}`) {
      if (open) parts.push(partOf(open.join('\n')));
      open = [];
      if (isEnd || parts.length >= mostParts) return parts;
    } else open?.push(line);
  }
  return [];
}

function decoded({ headers, body }: Part): string {
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding === 'quoted-printable')
    return body
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return body;
}

const addressPattern = /[^\s<>()",:;@]{1,64}@[^\s<>()",:;@]{1,255}/;

/** The address that a field such as `rfc822; bob@example.org` names, in lower case; null for what is none. */
const addressIn = (field: string | undefined): string | null =>
  addressPattern.exec((field ?? '').replace(/^\s*(?:rfc822|utf-8|unknown)\s*;/i, ''))?.[0].toLowerCase() ?? null;

// RFC 3463: 5.1.x says of an address that there is none, save what it says of the sender's (5.1.7 to 5.1.9); 5.2.1 that its mailbox is closed.
const isStatusOfNobody = (status: string) => /^5\.1\.(?:[0-6]|10)$|^5\.2\.1$/.test(status);

/**
 * Ours (0104): true of a reply of a mail server to the name of a recipient that says that mail to this address will never be taken. What a server has
 * against us, such as `554 5.7.1 Relay access denied` or a blocklist, says nothing of an address.
 */
export function isReplyOfNobody(reply: string): boolean {
  const [, code = '', status] = /^\s*(\d{3})(?:[ -]+#?(\d\.\d{1,3}\.\d{1,3})(?![\d.]))?/.exec(reply) ?? [];
  return status === undefined ? ['550', '551', '553'].includes(code) : code.startsWith('5') && isStatusOfNobody(status);
}

/** Whether a group of a report says that there is nobody at the address. Where its status says nothing (5.0.0), the reply of the server that it hands on does. */
function isOfNobody(status: string, diagnostic: string | undefined): boolean {
  const reply = /^\s*smtp\s*;\s*(\d{3}\b.*)$/is.exec(diagnostic ?? '')?.[1];
  return isStatusOfNobody(status) || (status === '5.0.0' && reply !== undefined && isReplyOfNobody(reply));
}

function failuresIn(text: string): { addresses: string[]; because: string }[] {
  // RFC 3464: fields of the message, then a group for each recipient, apart by empty lines.
  const groups = text.split(/\r?\n\s*\r?\n/).slice(0, mostRecipients);
  return groups.flatMap((group) => {
    const fields = headersIn(group);
    const status = /^\d\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '')?.[0] ?? '';
    const isFailed =
      fields.get('action')?.toLowerCase() === 'failed' && isOfNobody(status, fields.get('diagnostic-code'));
    const addresses = [addressIn(fields.get('original-recipient')), addressIn(fields.get('final-recipient'))].filter(
      (address) => address !== null,
    );
    if (!isFailed || addresses.length === 0) return [];
    const because = fields.get('diagnostic-code') ?? fields.get('status') ?? '';
    return [{ addresses, because: because.replace(/[^\x20-\x7e]/g, '?').slice(0, 500) }];
  });
}

/**
 * Ours (0084), RFC 3464 and 6522: reads a report of delivery, a whole mail as a mail server hands it on; null for any other mail, for one without the headers of what was sent, and for
 * one that says of nobody that there is no such recipient. Nothing in it is to be believed: who was meant is told by the Message-ID alone.
 */
export function readMailReport(mail: string): MailReport | null {
  if (mail.length > longestReport) return null;
  const whole = partOf(mail.replace(/^From .*\r?\n/, ''));
  if (typeOf(whole) !== 'multipart/report' || parameterOf(whole, 'report-type')?.toLowerCase() !== 'delivery-status')
    return null;
  const parts = partsOf(whole);
  const status = parts.find((part) => /^message\/(?:global-)?delivery-status$/.test(typeOf(part)));
  const returned = parts.find((part) =>
    /^(?:message\/(?:rfc822|global)|text\/rfc822-headers|message\/global-headers)$/.test(typeOf(part)),
  );
  if (!status || !returned) return null;
  const sent = partOf(decoded(returned)).headers;
  const messageId = /<([^<>\s]{1,200})>/.exec(sent.get('message-id') ?? '')?.[1];
  const failed = failuresIn(decoded(status));
  if (messageId === undefined || failed.length === 0) return null;
  const to = addressIn(sent.get('to'));
  // An address that was forwarded is told by what was written on the mail.
  return {
    messageId,
    failed: failed.map((each) => ({ ...each, addresses: to === null ? each.addresses : [...each.addresses, to] })),
  };
}
