import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { requestLimits } from '@/lib/http/request-limits';

test('a server with these limits ends a connection whose headers trickle in, and answers one that is merely slow', async () => {
  const server = createServer(requestLimits, (_, response) => response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  /** Sends a line of headers every second, so many of them, and gives what came back until the connection ended. */
  const send = (lines: number) =>
    new Promise<string>((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1');
      let came = '';
      let sent = 0;
      socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n');
      const timer = setInterval(() => {
        sent += 1;
        if (socket.writable) socket.write(sent < lines ? `x-line: ${sent}\r\n` : 'connection: close\r\n\r\n');
      }, 1_000);
      socket.on('data', (bytes) => (came += bytes.toString()));
      socket.on('error', reject);
      socket.on('close', () => {
        clearInterval(timer);
        resolve(came);
      });
    });
  try {
    const [slow, trickling] = await Promise.all([send(3), send(20)]);
    expect(slow).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*here$/);
    expect(trickling).toMatch(/^HTTP\/1\.1 408 /);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
