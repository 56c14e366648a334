import { readFileSync } from 'node:fs';
import http from 'node:http';

// The least that Node can do: the bytes and headers of a file, to whoever asks.
const { status, headers, body } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const bytes = Buffer.from(body, 'base64');

http
  .createServer((_, response) => {
    response.writeHead(status, headers);
    response.end(bytes);
  })
  .listen(Number(process.argv[3]), '127.0.0.1');
