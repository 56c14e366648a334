import { openProgram } from '@/lib/program/program';
import { env } from '@/lib/platform/env';
import { isConnectionLost } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';
import { rotateLedgerKey } from '@/lib/record/commands';

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Lets a new key sign the ledger, signed by the old one; returns the exit code: 0 when it signs, 1 when the old private key is not here. */
export async function main(): Promise<number> {
  const program = await openProgram(say);
  try {
    const { oldKeyId, newKeyId, file } = await rotateLedgerKey();
    say(`The key ${newKeyId} signs from now on; it was signed by ${oldKeyId}, whose checkpoints verify as before.`);
    say(`Its private half is in ${file}. Keep a copy in a safe place.`);
    if (env().TIPLEDGER_SIGNING_KEY)
      say('Set TIPLEDGER_SIGNING_KEY to what that file holds, here and on every other instance, and start them again.');
    else say('Copy the file to the data folder of every other instance.');
    return 0;
  } catch (error) {
    if (isConnectionLost(error)) {
      say(
        'Error: the database went away. Which key signs now stands on the page about the record; both private keys are kept in the data folder. Run this again to rotate anew.',
      );
      return 1;
    }
    if (!isFailure(error)) throw error;
    say(`Error: ${error.message}\nNothing was changed.`);
    return 1;
  } finally {
    await program.close();
  }
}
