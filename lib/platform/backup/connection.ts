import { Socket } from 'node:net';
import pg from 'pg';

/** Runs `work` in one transaction on a connection of its own, which is cut when it fails: a COPY half-way would not let it end. */
export async function onCopyConnection<T>(
  url: string,
  begin: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const socket = new Socket();
  const client = new pg.Client({ connectionString: url, stream: () => socket });
  // What is lost in use is told by the query under way.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(begin);
    const value = await work(client);
    await client.query('commit');
    await client.end();
    return value;
  } finally {
    socket.destroy();
  }
}
