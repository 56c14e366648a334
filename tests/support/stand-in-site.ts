import type { Handler } from '@/lib/http/capture';

/** Stands in for Next: tells which address it was asked for, by whom, and for the how manyth time. */
export class Site {
  readonly asked: string[] = [];
  make: (url: string) => Promise<string> = async () => '';
  status = 200;
  headers: Record<string, string> = {};
  isMissing = (url: string, _headers: Parameters<Handler>[0]['headers']): boolean =>
    url === '/_not-found' || url.startsWith('/fixture/') || url.startsWith('/nowhere');
  readonly handler: Handler = async ({ url = '', headers }, response) => {
    if (url !== '/_not-found') this.asked.push(url);
    const time = this.asked.length;
    const text = await this.make(url);
    const who = `${headers.cookie ?? ''}${headers.authorization ?? ''}${headers['accept-language'] ?? ''}`;
    const missing = this.isMissing(url, headers) || url === '/_not-found';
    const mark = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1];
    response.writeHead(missing ? 404 : this.status, {
      'content-type': 'text/html; charset=utf-8',
      vary: 'rsc',
      ...this.headers,
    });
    response.end(
      missing && url !== '/_not-found'
        ? ''
        : `<p>${url} ${time} ${text} ${who}</p>${' filling'.repeat(300)}<script nonce="${mark}">let a = ${time};</script><script>injected()</script>`,
    );
  };
}
