'use client';

import { useAtomValue } from 'jotai';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { formatAmount } from '@/lib/amounts';
import { formatCount, formatDate, formatUnits } from '@/lib/format';
import { firstPayments } from '@/lib/memberships/rules';
import type { MembershipView } from '@/lib/memberships/schema';
import type { Welcome } from '@/lib/portfolios/schema';
import { routes } from '@/lib/routes';
import { WelcomeText } from '../portfolios/welcome-text';
import { Attempt } from '../state/attempt';
import { modalTable } from '../state/modal-table';
import { openModal, showFeedback } from '../state/modals';
import { viewerAtom } from '../state/viewer';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { useAlive } from '../ui/use-alive';
import styles from './membership-list.module.scss';
import { cardWords, perPeriod, promiseWords } from './words';

type MembershipListProps = { memberships: readonly MembershipView[]; welcomes: readonly Welcome[]; timeZone: string };

/** The memberships that run, each with when it renews and at what price, and the ways to leave and to come back; what else of the page a change tells of, such as a receipt, comes after it. */
export function MembershipList({ memberships: listed, welcomes, timeZone }: MembershipListProps) {
  const router = useRouter();
  const [shown, setShown] = useState({ listed, memberships: listed });
  if (shown.listed !== listed) setShown({ listed, memberships: listed });
  const { memberships } = shown;
  const take = (changed: MembershipView) => {
    setShown((now) => ({
      ...now,
      memberships: now.memberships.map((each) => (each.reference === changed.reference ? changed : each)),
    }));
    router.refresh();
  };
  return (
    <Table caption="Your memberships" captionHidden narrow="stack">
      <thead>
        <tr>
          <th scope="col">Portfolio</th>
          <th scope="col">Status</th>
          <th scope="col">Next</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {memberships.map((membership) => (
          <tr key={`${membership.portfolioReference}${membership.reference}${membership.startsAt}`}>
            <th scope="row">
              <SiteLink
                href={
                  membership.portfolioReference === null
                    ? routes.pro()
                    : routes.portfolio(membership.portfolioReference)
                }
              >
                {membership.name}
              </SiteLink>{' '}
              {membership.demo && <Badge tone="notice">Demo data</Badge>}
              <WelcomeText
                title="Welcome to members"
                html={
                  welcomes.find(({ portfolioReference }) => portfolioReference === membership.portfolioReference)
                    ?.members ?? null
                }
              />
            </th>
            <td data-label="Status">
              <Badge tone={membership.state === 'past due' ? 'notice' : 'plain'}>{stateWords[membership.state]}</Badge>
            </td>
            <td data-label="Next" data-long>
              {nextOf(membership, timeZone)}
              {membership.card && <p className={styles.card}>{cardWords(membership.card)}</p>}
              <Promised membership={membership} />
            </td>
            <td data-label="Actions" data-long {...(!hasWays(membership) && { 'data-none': '' })}>
              <Ways membership={membership} timeZone={timeZone} onChange={take} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Promised({ membership: { promised, verdict, period } }: { membership: MembershipView }) {
  if (!promised || period === null) return null;
  return (
    <>
      {promiseWords(promised, period).map((words) => (
        <p key={words}>{words}</p>
      ))}
      {verdict && (
        <p>
          Last period checked, guarantee {verdict.kept ? 'met' : 'missed'}: {formatCount(verdict.tips, 'tip', 'tips')},{' '}
          {formatUnits(verdict.profitHundredths, { sign: true })} units.
        </p>
      )}
    </>
  );
}

const stateWords: Readonly<Record<MembershipView['state'], string>> = {
  trial: 'Trial',
  active: 'Active',
  'past due': 'Payment failed',
  cancelled: 'Cancelled',
  ended: 'Ended',
};

function nextOf(
  {
    reference,
    state,
    renewsAt,
    renewalMinor,
    afterCoupon,
    currencyId,
    endsAt,
    period,
    because,
    needsCard,
  }: MembershipView,
  timeZone: string,
): string {
  const day = (iso: string) => formatDate(iso, { timeZone, style: 'day' });
  if (state === 'ended') return because ?? `Ended on ${day(endsAt)}`;
  if (needsCard)
    return `${state === 'past due' ? 'Ends with the next try of your card' : `Ends on ${day(endsAt)}`}. It was paid in the sandbox, and cards are charged for real now: change the card to keep it.`;
  if (state === 'past due')
    return 'We will try your card again within five days, and a new card at once. Access ends three days after the renewal was due.';
  if (renewsAt !== null && renewalMinor !== null && currencyId !== null && period !== null)
    return afterCoupon
      ? `Renews on ${day(renewsAt)} at ${formatAmount(renewalMinor, currencyId)}. After ${firstPayments(afterCoupon.payments)} it is ${formatAmount(afterCoupon.amountMinor, currencyId)} ${perPeriod[period]}`
      : `Renews on ${day(renewsAt)} at ${formatAmount(renewalMinor, currencyId)} ${perPeriod[period]}`;
  // Product §9: what would renew, and has no day for it, ends during a break of its member.
  return reference !== null && (state === 'active' || state === 'trial')
    ? `Ends on ${day(endsAt)}: nothing renews during your break from betting`
    : `Runs until ${day(endsAt)}`;
}

function tellProblem(error: unknown): void {
  showFeedback({ title: 'Error', text: error instanceof Error ? error.message : 'Try again later.', kind: 'error' });
}

const hasWays = ({ reference, state }: MembershipView) => reference !== null && state !== 'ended';

type WaysProps = { membership: MembershipView; timeZone: string; onChange: (changed: MembershipView) => void };

function Ways({ membership, timeZone, onChange }: WaysProps) {
  const isAlive = useAlive();
  // The dialog opens for a member alone, and who looks is known some time after the page is alive.
  const mayCancel = modalTable['cancel user membership'].isFor(useAtomValue(viewerAtom)) && isAlive;
  const [attempt] = useState(() => new Attempt());
  const [isSending, setSending] = useState(false);
  const { reference, name, state, endsAt, renewsAt, refundMinor, currencyId, needsCard } = membership;
  if (reference === null || state === 'ended') return null;
  const params = { membership: reference };

  async function act(way: 'keep' | 'refund'): Promise<void> {
    setSending(true);
    try {
      const { api } = await import('../state/api');
      const sent = { params, idempotencyKey: attempt.keyFor(way) };
      onChange(
        way === 'keep'
          ? await api('POST /user/memberships/{membership}/keep', sent)
          : await api('POST /user/memberships/{membership}/refund', sent),
      );
      attempt.end();
    } catch (error) {
      tellProblem(error);
    } finally {
      setSending(false);
    }
  }

  async function change(): Promise<void> {
    setSending(true);
    try {
      const [{ api }, { leaveFor }] = await Promise.all([import('../state/api'), import('../state/auth-navigation')]);
      const { payUrl } = await api('POST /user/memberships/{membership}/card', {
        params,
        idempotencyKey: attempt.keyFor('card'),
      });
      attempt.end();
      leaveFor(payUrl ?? routes.dashboard('memberships', { card: params.membership }));
    } catch (error) {
      tellProblem(error);
      setSending(false);
    }
  }

  const cancel = () =>
    openModal('cancel user membership', { membership: reference, name, state, endsAt, timeZone, onDone: onChange });
  return (
    <div className={styles.ways}>
      {(renewsAt !== null || needsCard) && (
        <Button
          look={state === 'past due' ? 'primary' : 'secondary'}
          size="small"
          disabled={isSending || !isAlive}
          aria-label={`Change card: ${name}`}
          onClick={() => void change()}
        >
          Change card
        </Button>
      )}
      {state === 'cancelled' ? (
        <Button
          look="secondary"
          size="small"
          disabled={isSending || !isAlive}
          aria-label={`Keep membership: ${name}`}
          onClick={() => void act('keep')}
        >
          Keep membership
        </Button>
      ) : (
        <Button look="secondary" size="small" aria-label={`Cancel ${name}`} disabled={!mayCancel} onClick={cancel}>
          Cancel
        </Button>
      )}
      {refundMinor !== null && currencyId !== null && refundMinor > 0 && (
        <details>
          <summary>Cooling-off refund</summary>
          <Button look="secondary" size="small" disabled={isSending || !isAlive} onClick={() => void act('refund')}>
            End now and get {formatAmount(refundMinor, currencyId)} back
          </Button>
        </details>
      )}
    </div>
  );
}
