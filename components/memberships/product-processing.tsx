'use client';

import { useEffect, useState } from 'react';
import { useAtomValue } from 'jotai';
import useSWR from 'swr';
import { formatAmount } from '@/lib/amounts';
import { otherAmountBecause } from '@/lib/memberships/rules';
import type { OrderView } from '@/lib/memberships/schema';
import { routes } from '@/lib/routes';
import { viewerAtom } from '../state/viewer';
import { ButtonLink } from '../ui/button-link';
import { FormMessage } from '../ui/form-message';

type ProductProcessingProps = { order: string; first?: OrderView };

const pollMilliseconds = 2_000;
const isWaiting = ({ status }: OrderView) => status === 'open' || status === 'processing';
const isOver = (order: OrderView) => !isWaiting(order) && !(order.status === 'paid' && order.runs);

/** Spec §2.5, product §8: waits for an order and says what becomes of it as it does; it can be left and come back to. */
export function ProductProcessing({ order: reference, first }: ProductProcessingProps) {
  const viewer = useAtomValue(viewerAtom);
  // Asked for once it is known who asks, and no more when nothing more becomes of it.
  const isAsked = viewer.kind === 'member' && !(first && isOver(first));
  const {
    data = first,
    error,
    mutate,
  } = useSWR(
    isAsked ? ['order', reference] : null,
    async () => (await import('../state/api')).api('GET /user/orders/{order}', { params: { order: reference } }),
    {
      ...(first ? { fallbackData: first, revalidateOnMount: isWaiting(first) } : {}),
      refreshInterval: (order) => (!order || isWaiting(order) ? pollMilliseconds : 0),
      shouldRetryOnError: true,
    },
  );
  // Undefined until the browser has said where the reader came from.
  const [from, setFrom] = useState<string | null>();

  useEffect(() => {
    const readFrom = async () => {
      const checkout = await (await import('../state/checkout')).readCheckout();
      return checkout?.order === reference ? checkout.from : null;
    };
    readFrom().then(setFrom, () => setFrom(null));
  }, [reference]);

  useEffect(() => {
    if (!isAsked) return;
    let end = () => undefined as void;
    let isGone = false;
    void import('../state/live').then(({ watchTopic }) => {
      if (!isGone) end = watchTopic('account', () => void mutate());
    });
    return () => {
      isGone = true;
      end();
    };
  }, [isAsked, mutate]);

  if (!data) return error ? <FormMessage kind="error">{error.message}</FormMessage> : <p role="status">One moment…</p>;
  const { status, because, portfolioName, portfolioReference, payUrl, charged, givenBackMinor, currencyId, terms } =
    data;
  const again = { period: terms.period, coupon: terms.coupon ?? undefined, from: from ?? undefined };
  // An instance of the release before does not say.
  if (status === 'paid' && data.runs === false)
    return (
      <>
        <p role="status">
          Your membership of {portfolioName} has ended.
          {givenBackMinor > 0 &&
            ` ${formatAmount(givenBackMinor, currencyId)} of this payment goes back to the card that you paid with.`}
        </p>
        {data.closed ? (
          <p>The portfolio was closed and takes no members.</p>
        ) : (
          <p>
            <ButtonLink href={routes.checkout(portfolioReference, { ...again, coupon: undefined })}>
              Join again
            </ButtonLink>
          </p>
        )}
      </>
    );
  if (status === 'paid')
    return (
      <>
        <FormMessage kind="success">You are a member of {portfolioName}.</FormMessage>
        <p>
          {portfolioReference === null ? (
            <ButtonLink href={routes.pro()}>Choose your team</ButtonLink>
          ) : (
            <ReadTips from={from} tips={routes.portfolioPage(portfolioReference, 'tips')} />
          )}
        </p>
      </>
    );
  if (status === 'open')
    return (
      <>
        <p role="status">This order is awaiting payment.</p>
        {payUrl && (
          <p>
            <ButtonLink href={payUrl}>Go to the payment page</ButtonLink>
          </p>
        )}
      </>
    );
  if (status === 'processing')
    return (
      <p role="status">
        Your payment is being processed. You can leave this page: you get access as soon as the payment goes through.
      </p>
    );
  return (
    <>
      <FormMessage kind="error">
        {charged && givenBackMinor === 0
          ? otherAmountBecause
          : `${status === 'expired' ? 'This order was not paid in time.' : (because ?? 'This order was not paid.')} ${
              givenBackMinor > 0
                ? `Your payment of ${formatAmount(givenBackMinor, currencyId)} goes back to the card that you paid with.`
                : 'Nothing was charged.'
            }`}
      </FormMessage>
      <p>
        <ButtonLink href={routes.checkout(portfolioReference, again)}>Try again</ButtonLink>
      </p>
    </>
  );
}

/** Leads back to where the reader came from, once that is known: who presses early is not to land elsewhere. Without script it leads to the tips. */
function ReadTips({ from, tips }: { from: string | null | undefined; tips: string }) {
  const link = <ButtonLink href={from ?? tips}>Read the tips</ButtonLink>;
  return from === undefined ? <noscript>{link}</noscript> : link;
}
