// What a program holds is measured without what only waits for the collector.
process.on('SIGUSR2', () => globalThis.gc());
