import { readOrder, startCheckout } from '@/lib/memberships/commands';
import { chooseOutcome } from '@/lib/money/commands';
import { member } from '@/lib/http/viewer';
import { atOnce } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';
import { Role } from '@/lib/reference/schema';

/** What a program of the trial did: who became a member, why others did not, and what went wrong otherwise. */
export type CrowdTally = { joined: number; refused: Record<string, number>; other: string[] };

const lanes = 12;

async function buy(accountId: number, portfolio: string, amountMinor: number): Promise<'joined' | string> {
  const viewer = member({ accountId, role: Role.user, pro: false, owns: [], subscribes: [] });
  const { reference, payUrl } = await startCheckout(
    viewer,
    { portfolio, period: 'month', amountMinor },
    `crowd-${accountId}`,
  );
  await chooseOutcome(payUrl?.split('/').at(-1) ?? '', 'success');
  const { status, because } = await readOrder(viewer, reference);
  return status === 'paid' ? 'joined' : (because ?? status);
}

/** Buys a plan for a range of accounts, many at once, as an instance of its own; prints what became of it as JSON. */
export async function main([portfolio = '', amount = '', first = '', last = '']: string[]): Promise<number> {
  const tally: CrowdTally = { joined: 0, refused: {}, other: [] };
  let next = Number(first);
  await atOnce(lanes, async () => {
    while (next <= Number(last)) {
      const accountId = next;
      next += 1;
      try {
        const became = await buy(accountId, portfolio, Number(amount));
        if (became === 'joined') tally.joined += 1;
        else tally.other.push(became);
      } catch (error) {
        if (isFailure(error, 'conflict')) tally.refused[error.message] = (tally.refused[error.message] ?? 0) + 1;
        else tally.other.push(error instanceof Error ? error.message : String(error));
      }
    }
  });
  process.stdout.write(`${JSON.stringify(tally)}\n`);
  process.exit(0);
}
