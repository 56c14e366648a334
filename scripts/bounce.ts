import { now } from '@/lib/platform/clock';
import { takeBounce } from '@/lib/platform/mail-bounces';
import { longestReport } from '@/lib/platform/mail-report';
import { openProgram } from '@/lib/program/program';

const usage = `Usage: npm run bounce < mail

Reads a mail that came back to the address of MAIL_FROM, as a mail server hands it on to a pipe. Where it is a
report that one of our mails could not be delivered for good, no more notifications go to that address. Anything else
changes nothing. Exits with 0, or with 75 where it should be handed on again later.`;

// What mail servers take for: keep the mail, and try again.
const tryAgain = 75;

const say = (line: string) => process.stderr.write(`${line}\n`);

/** What comes in, up to a little more than the longest report: the rest of a longer mail is let go. */
async function readAll(input: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    if (length <= longestReport) chunks.push(chunk);
    length += chunk.length;
  }
  return length > longestReport ? '' : Buffer.concat(chunks).toString('utf8');
}

/** Takes a mail that came back; returns the exit code. */
export async function main(given: string[]): Promise<number> {
  if (given.length > 0) {
    say(usage);
    return 1;
  }
  const mail = await readAll(process.stdin);
  try {
    const program = await openProgram(say);
    try {
      const { stopped } = await takeBounce(mail, now());
      process.stdout.write(stopped === null ? 'Nothing was changed.\n' : `No more notifications go to ${stopped}.\n`);
      return 0;
    } finally {
      await program.close();
    }
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return tryAgain;
  }
}
