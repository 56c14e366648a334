import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const patienceMilliseconds = 3_000;
const exitCodes = { SIGINT: 130, SIGTERM: 143 };

// As a shell has the end by a signal.
const killed = 128;

/** True for the exit code of a command that did not end by itself; codes above are npm's own, of faults of the system. */
export const wasKilled = (code) => code > killed && code <= killed + constants.signals.SIGTERM;

function killGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Runs a command to its end with its output shown, and gives its exit code, or that of `wasKilled`; it holds the lock too. Told to stop, this program ends the command
 * and what that has started before it ends itself.
 */
export function runToEnd(command, args, { env = {}, lock } = {}) {
  const stdio = ['inherit', 'inherit', 'inherit', ...(lock ? [lock.handle] : [])];
  const child = spawn(command, args, { stdio, env: { ...process.env, ...env }, detached: true });
  let stopped = null;
  const stop = (signal) => {
    if (stopped) return;
    stopped = signal;
    killGroup(child, 'SIGTERM');
    setTimeout(() => killGroup(child, 'SIGKILL'), patienceMilliseconds).unref();
  };
  for (const signal of Object.keys(exitCodes)) process.on(signal, stop);
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`${command} could not be run: ${error.message}`, { cause: error })),
    );
    child.once('close', (code, signal) => {
      for (const signal of Object.keys(exitCodes)) process.off(signal, stop);
      killGroup(child, 'SIGKILL');
      if (stopped) process.exit(exitCodes[stopped]);
      resolve(code ?? killed + constants.signals[signal]);
    });
  });
}
