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
if (major < 20 || (major === 20 && minor < 20))
  end(`Tipledger needs Node 20.20 or newer; this is ${process.versions.node}.`);
if (!/^[a-z:-]+$/.test(command) || command.startsWith('chunk-') || !existsSync(file))
  end(`There is no command "${command}". Without one the site is served; the others are in package.json.`);
// The settings of the build, as Next's own packaged server is given them: to read next.config.mjs anew it would load its build.
const { config } = JSON.parse(readFileSync('.next/required-server-files.json', 'utf8'));
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
const { serve, main } = await import(pathToFileURL(file).href);
try {
  if (serve) await serve();
  else process.exitCode = await main(args, callerFolder);
} catch (error) {
  end(error instanceof Error ? error.message : String(error));
}

/** Ends with what went wrong: in words on a terminal and for whoever gave a command, as a line of the log where the site should be served. */
function end(message) {
  const isRead = command !== 'server' || process.stderr.isTTY;
  const line = { level: 'fatal', time: new Date().toISOString(), event: 'program', message };
  process.stderr.write(`${isRead ? message : JSON.stringify(line)}\n`);
  process.exit(1);
}
