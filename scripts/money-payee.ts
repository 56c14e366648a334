import { setPayee } from '@/lib/money/commands';
import { isFailure } from '@/lib/platform/errors';
import { openProgram } from '@/lib/program/program';

const usage = `Usage: npm run money:payee -- <username> <acct_…>

Has a tipster paid out to a connected account at Stripe from now on; Stripe's dashboard makes such accounts, and names them.`;

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Sets where a tipster is paid out to; returns the exit code. */
export async function main([username, account, ...more]: string[]): Promise<number> {
  if (username === undefined || account === undefined || more.length > 0) {
    say(usage);
    return 1;
  }
  const program = await openProgram(say);
  try {
    await setPayee(username, account);
    say(`${username} is paid out to ${account} from now on.`);
    return 0;
  } catch (error) {
    if (!isFailure(error)) throw error;
    say(`Error: ${error.message}`);
    return 1;
  } finally {
    await program.close();
  }
}
