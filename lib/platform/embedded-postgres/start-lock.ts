import { closeSync, constants, openSync, statSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { refusal, textOf } from './refusal';

const patienceSeconds = 180;
const openExclusivelyLocked = 0x20; // O_EXLOCK of macOS, which Node does not name

type Release = () => void;

/** Linux: an abstract socket, a name in the kernel without a file. */
function tryAbstractSocket(folder: string): Promise<Release | null> {
  const { dev, ino } = statSync(folder);
  const server = net.createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (textOf(error, 'code') === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(`\0tipledger-start-${dev}-${ino}`, () => resolve(() => server.close()));
  });
}

function tryLockedFile(folder: string): Release | null {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | openExclusivelyLocked;
  try {
    const file = openSync(path.join(folder, 'postgres.lock'), flags, 0o600);
    return () => closeSync(file);
  } catch (error) {
    if (textOf(error, 'code') === 'EAGAIN') return null;
    throw error;
  }
}

/**
 * Waits until no other program is starting or stopping the PostgreSQL of this folder and gives the function that lets the next one in.
 * The kernel holds the lock, so it ends with its holder however that dies: nothing can go stale, no pid can be mistaken.
 */
export async function holdStartLock(folder: string, say: (line: string) => void): Promise<Release> {
  const deadline = performance.now() + patienceSeconds * 1000;
  for (let attempt = 0; ; attempt += 1) {
    const release = process.platform === 'linux' ? await tryAbstractSocket(folder) : tryLockedFile(folder);
    if (release) return release;
    if (attempt === 10) say('Another program is starting PostgreSQL: waiting for it…');
    if (performance.now() > deadline) {
      throw refusal(
        `Another program has been starting the PostgreSQL of ${folder} for ${patienceSeconds} seconds and does not finish.`,
        'End that program and start again',
      );
    }
    await sleep(30);
  }
}
