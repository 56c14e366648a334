/** An answer as far as it is judged. */
export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  milliseconds: number;
};

const run =
  /<script[^>]*>\s*(?:siege|alert)\(|<(?:img|svg)[^>]*\son\w+=["']?(?:siege|alert|javascript)|(?:href|src|action|formaction)="\s*javascript:/i;
const trace =
  /\n\s+at (?:async )?(?:[\w.<>[\] ]+ \()?(?:file:|node:|\/)[^\n]*:\d+:\d+\)?|node_modules\/|\.next\/server\//;

/** What is wrong with an answer, in words; null when nothing is. `hosts` are those that the site may send a reader to. */
export function whatIsWrong(
  { status, headers, text, milliseconds }: Answer,
  { hosts, hangMilliseconds }: { hosts: ReadonlySet<string>; hangMilliseconds: number },
): string | null {
  if (status >= 500 && !(status === 503 && headers['retry-after'] !== undefined)) return `status ${status}`;
  if (milliseconds > hangMilliseconds) return `answered after ${Math.round(milliseconds)} ms`;
  const location = String(headers.location ?? '');
  if (location !== '') {
    const target = URL.parse(location, 'http://localhost');
    if (target === null || !hosts.has(target.host) || !/^https?:$/.test(target.protocol))
      return `redirects to ${location}`;
  }
  if (String(headers['set-cookie'] ?? '').includes('siege=')) return 'sets a cookie that was asked for';
  const isDocument = String(headers['content-type'] ?? '').startsWith('text/html');
  if (isDocument && run.test(text)) return `holds a script that was sent: ${run.exec(text)?.[0].slice(0, 100)}`;
  if (!String(headers['content-type'] ?? '').startsWith('text/javascript') && trace.test(text))
    return `holds a trace: ${trace.exec(text)?.[0].trim().slice(0, 100)}`;
  if (headers['x-content-type-options'] !== 'nosniff') return 'carries no security headers';
  return null;
}

/** The same of what came back over a connection that was no request: each answer in it by its status and its first headers. */
export function whatIsWrongIn(text: string, isOver: boolean): string | null {
  if (!isOver) return 'was neither answered nor let go of';
  for (const [line, status] of text.matchAll(/^HTTP\/1\.1 (\d{3}) [^\r]*/gm))
    if (Number(status) >= 500 && Number(status) !== 503) return line;
  if (trace.test(text)) return 'holds a trace';
  return null;
}
