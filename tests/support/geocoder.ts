import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A geocoder on this machine: the template of its address, what it was asked, and what it answers from now on. */
export type Geocoder = {
  template: string;
  asked: string[];
  answer(status: number, body: unknown): void;
  close(): Promise<void>;
};

/** Opens a small server that answers as it is told. */
export async function openGeocoder(): Promise<Geocoder> {
  const asked: string[] = [];
  let next = { status: 200, body: '{}' };
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    response
      .writeHead(next.status, {
        'content-type': 'application/json',
        ...(next.status === 302 && { location: '/elsewhere' }),
      })
      .end(next.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    template: `http://127.0.0.1:${port}/reverse?lat={latitude}&lon={longitude}&key=secret`,
    asked,
    answer: (status, body) => void (next = { status, body: typeof body === 'string' ? body : JSON.stringify(body) }),
    close: () => new Promise<void>((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
}
