import { readFileSync } from 'node:fs';

// What an operator runs beside the site, by its name in package.json.
const names = [
  'backup',
  'bounce',
  'restore',
  'cache',
  'jobs',
  'staff',
  'import',
  'ledger:rotate-key',
  'ledger:verify',
  'money:payee',
  'money:reconcile',
  'witness',
];

/** The commands of a package: the name of each, the same as in the source, with the script that has its `main`. */
export function packagedCommands() {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const commands = names.map((name) => {
    const [, script] = /^node scripts\/run\.mjs (scripts\/[a-z-]+\.ts)$/.exec(scripts[name] ?? '') ?? [];
    if (!script) throw new Error(`package.json has no script "${name}" that scripts/run.mjs runs.`);
    return [name, script];
  });
  // Asked by what watches over a container.
  return new Map([['healthy', 'scripts/healthy.ts'], ...commands]);
}

/** The name of a command's file, without its ending. */
export const fileOfCommand = (name) => name.replaceAll(':', '-');
