'use client';

import { useState } from 'react';
import { formatAmount } from '@/lib/amounts';
import type { Affiliate } from '@/lib/affiliates/schema';
import { formatMonth } from '@/lib/format';
import { Button } from '../ui/button';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import { useForm } from '../ui/use-form';
import { PayoutForm } from './payout-form';
import styles from './parts.module.scss';
import { PayoutTable } from './payout-table';

type AffiliateBoardProps = { affiliate: Affiliate; origin: string; timeZone: string };

/** What a member has as an affiliate: the link, what came of it, what is owed and the payouts of it; or the way to become one. `origin` is the address of the site. */
export function AffiliateBoard({ affiliate: first, origin, timeZone }: AffiliateBoardProps) {
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
        <Table caption="Commissions" narrow="stack">
          <thead>
            <tr>
              <FigureHead>Held for 14 days</FigureHead>
              <FigureHead>Payable</FigureHead>
              <FigureHead>On its way</FigureHead>
              <FigureHead>Paid out</FigureHead>
            </tr>
          </thead>
          <tbody>
            {balances.map(({ currencyId, heldMinor, payableMinor, onTheWayMinor, paidMinor }) => (
              <tr key={currencyId}>
                <FigureCell data-label="Held">{formatAmount(heldMinor, currencyId)}</FigureCell>
                <FigureCell data-label="Payable">{formatAmount(payableMinor, currencyId)}</FigureCell>
                <FigureCell data-label="On its way">{formatAmount(onTheWayMinor, currencyId)}</FigureCell>
                <FigureCell data-label="Paid out">{formatAmount(paidMinor, currencyId)}</FigureCell>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {balances
        .filter(({ payableMinor }) => payableMinor > 0)
        .map(({ currencyId, payableMinor }) => (
          <PayoutForm key={currencyId} portfolio={null} currencyId={currencyId} payableMinor={payableMinor} />
        ))}
      <PayoutTable payouts={payouts} timeZone={timeZone} />
      <p>The smallest payout is 25.00 of its currency. Staff check payouts above 1,000.00 before they are paid.</p>
    </div>
  );
}

function Join({ fee, onJoin }: { fee: string; onJoin: (affiliate: Affiliate) => void }) {
  const { form, problem, isSending, isAlive } = useForm(async () => {
    const { api } = await import('../state/api');
    onJoin(await api('POST /user/affiliate'));
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
