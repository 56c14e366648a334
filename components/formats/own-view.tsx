'use client';

import { useAtomValue } from 'jotai';
import { useLayoutEffect } from 'react';
import { ownFormatsKey } from '@/lib/accounts/schema';
import { oddsDisplayFrom } from '@/lib/reference/rules';
import { defaultOddsDisplay, defaultTimeZone } from '@/lib/reference/schema';
import { leaveAtHand } from '../state/storage';
import { viewerAtom } from '../state/viewer';
import { keepRewriting, rewriteFormats } from './rewrite';
import { OwnBestOdds } from './own-best-odds';
import { OwnTipPrices } from './own-tip-prices';
import { OwnHelp } from './own-help';
import { useOwnCountry } from './own-country';
import { listsBookmakers, OwnReviews } from './own-reviews';
import { type Formats, formatsOf } from './formats';

/** Ends what waited on this page, and lets the next one know before its first paint what of it waits. */
function noteOwn({ timeZone, oddsDisplay }: Formats): void {
  const odds = oddsDisplay === defaultOddsDisplay ? [] : ['odds'];
  const times = timeZone === defaultTimeZone.tz ? [] : ['times'];
  leaveAtHand(ownFormatsKey, [...odds, ...times].join(' '));
  delete document.documentElement.dataset.awaits;
}

/** Shows every page in the member's odds format and time zone, with the best prices of their country, and as guests see it again once they have left. */
export function OwnView() {
  const viewer = useAtomValue(viewerAtom);
  const isMember = viewer.kind === 'member';
  const { timeZone, timeZoneName, oddsDisplay } = formatsOf(viewer);
  const countryId = useOwnCountry();

  useLayoutEffect(() => {
    const formats = { timeZone, timeZoneName, oddsDisplay };
    noteOwn(formats);
    if (isMember) return keepRewriting(formats);
    const asked = oddsDisplayFrom(new URLSearchParams(location.search).get('odds') ?? '');
    rewriteFormats(document, { ...formats, oddsDisplay: asked ?? oddsDisplay });
  }, [isMember, timeZone, timeZoneName, oddsDisplay]);

  if (countryId === null) return null;
  return (
    <>
      <OwnBestOdds countryId={countryId} display={oddsDisplay} />
      <OwnTipPrices countryId={countryId} display={oddsDisplay} />
      <OwnHelp key={`help ${countryId}`} />
      {listsBookmakers() && <OwnReviews key={countryId} />}
    </>
  );
}
