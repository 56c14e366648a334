// Loaded into a program under measurement: says what its process has used, and empties what it keeps, when the benchmark asks.
const registry = Symbol.for('tipledger.singletons');

function forget() {
  const values = globalThis[registry];
  for (const name of ['cache', 'share-images', 'record-segments']) values?.get(name)?.entries?.clear();
  for (const listener of values?.get('cache')?.listeners ?? []) listener(null);
}

process.on('message', (said) => {
  if (said === 'forget') forget();
  const { user, system } = process.cpuUsage();
  process.send({ microseconds: user + system, memoryBytes: process.memoryUsage.rss() });
});
process.channel?.unref();
