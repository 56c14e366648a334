import { readFileSync } from 'node:fs';

// Preloaded into a program that is tested: puts its clock ahead by the milliseconds that the file named in CLOCK_AHEAD_FILE holds, from the moment that they are written there.
const file = process.env.CLOCK_AHEAD_FILE ?? '';
const machineNow = Date.now;
let aheadMilliseconds = 0;

function look() {
  aheadMilliseconds = Number(readFileSync(file, 'utf8')) || 0;
}

if (file) {
  look();
  setInterval(look, 50).unref();
  Date.now = () => machineNow() + aheadMilliseconds;
  globalThis.Date = new Proxy(Date, { construct: (target, given, asked) => Reflect.construct(target, given.length > 0 ? given : [Date.now()], asked) });
}
