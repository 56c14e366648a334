import { openProgram } from '@/lib/program/program';
import { everything, forget } from '@/lib/platform/cache';

const usage = `Usage: npm run cache -- forget <tag>…|all

  forget  drops what every instance keeps under the tags, such as fixtures, tips or portfolio:ann, within a second; all drops everything`;

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Drops what is cached on every instance; returns the exit code. */
export async function main([command, ...tags]: string[]): Promise<number> {
  const wrong = tags.find((tag) => !/^[a-z][a-z0-9:-]{0,99}$/.test(tag));
  if (command !== 'forget' || tags.length === 0 || wrong !== undefined) {
    say(wrong === undefined || command !== 'forget' ? usage : `Error: "${wrong}" is no tag.\n\n${usage}`);
    return 1;
  }
  const program = await openProgram(say);
  try {
    await forget(tags.includes('all') ? [everything] : tags);
    say(
      tags.includes('all')
        ? 'Every instance drops everything that it keeps within a second.'
        : `Every instance drops what it keeps under ${tags.join(', ')} within a second.`,
    );
    return 0;
  } finally {
    await program.close();
  }
}
