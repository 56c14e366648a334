import http from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** An answer as it came over the wire, and its text when that is decoded. */
export type Answer = { status: number; headers: http.IncomingHttpHeaders; bytes: Buffer; text: string };

/** Asks for a path with just these headers; nothing is followed, added or decoded on the way. */
export function ask(
  origin: string,
  requested: string,
  headers: http.OutgoingHttpHeaders = {},
  { method = 'GET', agent }: { method?: string; agent?: http.Agent } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = http.request(
      { hostname, port, path: requested, method, headers, agent: agent ?? false },
      (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            const bytes = Buffer.concat(chunks);
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              bytes,
              text: decode(bytes, response.headers['content-encoding']),
            });
          });
      },
    );
    request.on('error', reject).end();
  });
}

function decode(bytes: Buffer, encoding: string | undefined): string {
  if (bytes.length === 0) return '';
  return (encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString(
    'utf8',
  );
}
