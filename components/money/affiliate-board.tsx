'use client';

import { useState } from 'react';
import { formatAmount } from '@/lib/amounts';
import type { Affiliate } from '@/lib/affiliates/schema';
import { formatMonth } from '@/lib/format';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { SectionHeading } from '../ui/section-heading';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import { useForm } from '../ui/use-form';
import styles from './parts.module.scss';
import { PayoutPart } from './payout-part';

type AffiliateBoardProps = {
  affiliate: Affiliate;
  origin: string;
  /** False while the provider cannot pay the affiliate. */
  canAsk: boolean;
  timeZone: string;
};

/** What a member has as an affiliate: the link, what came of it, what is owed and the payouts of it; or the way to become one. `origin` is the address of the site. */
export function AffiliateBoard({ affiliate: first, origin, canAsk, timeZone }: AffiliateBoardProps) {
  const [affiliate, setAffiliate] = useState(first);
  const { code, fees, visits, signUps, sales, returned, balances, payouts, months } = affiliate;
  const fee =
    fees.length === 0
      ? 'No fee is set at the moment, so a sale would earn nothing.'
      : `A new buyer’s first paid membership earns ${fees.map((each) => formatAmount(each.amountMinor, each.currencyId)).join(' or ')}${fees.length > 1 ? ', depending on the currency it is paid in' : ''}, but never more than the site keeps of the payment.`;
  if (code === null) return <Join fee={fee} onJoin={setAffiliate} />;
  return (
    <div className={styles.parts}>
      <p>
        Your link: <code>{`${origin}/?ref-a=${code}`}</code>. You can add <code>{`?ref-a=${code}`}</code> to the address
        of any page of the site.
      </p>
      <p>{fee}</p>
      <Table caption="Results of your link" narrow="stack">
        <thead>
          <tr>
            <th scope="col">Month</th>
            <FigureHead>Visits</FigureHead>
            <FigureHead>Sign-ups</FigureHead>
            <FigureHead>Memberships</FigureHead>
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, ...row }) => (
            <tr key={month}>
              <th scope="row">
                <Time dateTime={month}>{formatMonth(month)}</Time>
              </th>
              <FigureCell data-label="Visits">{row.visits}</FigureCell>
              <FigureCell data-label="Sign-ups">{row.signUps}</FigureCell>
              <FigureCell data-label="Memberships">{row.sales}</FigureCell>
            </tr>
          ))}
          <tr>
            <th scope="row">All</th>
            <FigureCell data-label="Visits">{visits}</FigureCell>
            <FigureCell data-label="Sign-ups">{signUps}</FigureCell>
            <FigureCell data-label="Memberships">
              {sales}
              {returned > 0 && `, ${returned} returned`}
            </FigureCell>
          </tr>
        </tbody>
      </Table>
      {balances.length > 0 && (
        <>
          <SectionHeading level={3}>Commissions</SectionHeading>
          <PayoutPart portfolio={null} balances={balances} payouts={payouts} canAsk={canAsk} timeZone={timeZone} />
        </>
      )}
    </div>
  );
}

function Join({ fee, onJoin }: { fee: string; onJoin: (affiliate: Affiliate) => void }) {
  const [attempt] = useState(() => new Attempt());
  const { form, problem, isSending, isAlive } = useForm(async () => {
    const { api } = await import('../state/api');
    onJoin(await api('POST /user/affiliate', { idempotencyKey: attempt.keyFor('join') }));
  });
  return (
    <FormStack {...form}>
      <p>{fee}</p>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <div>
        <Button type="submit" disabled={isSending || !isAlive}>
          {isSending ? 'One moment…' : 'Become an affiliate'}
        </Button>
      </div>
    </FormStack>
  );
}
