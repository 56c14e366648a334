import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const callerFolder = process.env.INIT_CWD ?? process.cwd();
const [command = 'server', ...args] = process.argv.slice(2);
process.env.NODE_ENV = 'production';
process.env.NEXT_TELEMETRY_DISABLED = '1';
process.setSourceMapsEnabled(true);
process.chdir(import.meta.dirname);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const file = path.resolve('.next/program', `${command.replaceAll(':', '-')}.mjs`);
if (major < 20 || (major === 20 && minor < 20)) {
  process.stderr.write(`Tipledger needs Node 20.20 or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}
if (!/^[a-z:-]+$/.test(command) || command.startsWith('chunk-') || !existsSync(file)) {
  process.stderr.write(
    `There is no command "${command}". Without one the site is served; the others are in package.json.\n`,
  );
  process.exit(1);
}
// The settings of the build, as Next's own packaged server is given them: to read next.config.mjs anew it would load its build.
const { config } = JSON.parse(readFileSync('.next/required-server-files.json', 'utf8'));
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
const { serve, main } = await import(pathToFileURL(file).href);
try {
  if (serve) await serve();
  else process.exitCode = await main(args, callerFolder);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
