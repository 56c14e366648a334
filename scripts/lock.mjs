import { closeSync, constants, openSync, statSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const openExclusivelyLocked = 0x20; // O_EXLOCK of macOS, which Node does not name
const tellAfterMilliseconds = 300;

/** Linux: an abstract socket, a name in the kernel without a file. */
function trySocket(folder, name) {
  const { dev, ino } = statSync(folder);
  const server = net.createServer((caller) => caller.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen(`\0tipledger-${name}-${dev}-${ino}`, () => {
      server.unref();
      resolve({ handle: server._handle.fd, release: () => void server.close() });
    });
  });
}

function tryFile(folder, name) {
  try {
    const handle = openSync(
      path.join(folder, `.tipledger-${name}.lock`),
      constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | openExclusivelyLocked,
      0o600,
    );
    return { handle, release: () => closeSync(handle) };
  } catch (error) {
    if (error.code === 'EAGAIN') return null;
    throw error;
  }
}

/**
 * Waits until no other program holds this lock of the folder, calling `onWait` once when it has to. The kernel holds it: it ends with its holder,
 * however that dies, and with every child that was given `handle`.
 */
export async function holdLock(folder, name, onWait) {
  const began = performance.now();
  let told = false;
  for (;;) {
    const held = process.platform === 'linux' ? await trySocket(folder, name) : tryFile(folder, name);
    if (held) return held;
    if (!told && performance.now() - began > tellAfterMilliseconds) {
      told = true;
      onWait();
    }
    await sleep(100);
  }
}
