import { formatAmount } from '@/lib/amounts';
import type { AutobetView, MissedReason } from '@/lib/bets/schema';
import { formatDate, formatTotalOdds } from '@/lib/format';
import type { OddsDisplay } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { Badge } from '../ui/badge';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';

type AutobetTableProps = { latest: readonly AutobetView[]; timeZone: string; oddsDisplay: OddsDisplay };

/** Why a tip became no bet, as a bettor would say it. */
export const missedText: Readonly<Record<MissedReason, string>> = {
  started: 'Already started',
  'no price': 'No price in your country',
  'short price': 'Below your min. odds',
  paused: 'You took a break',
  refused: 'Could not be recorded',
};

/** What the rules made of tips, the newest first. */
export function AutobetTable({ latest, timeZone, oddsDisplay }: AutobetTableProps) {
  return (
    <Table caption="What your rules did with the latest tips" captionHidden narrow="stack">
      <thead>
        <tr>
          <th scope="col">Tip</th>
          <th scope="col">When</th>
          <FigureHead>Odds</FigureHead>
          <FigureHead>Stake</FigureHead>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {latest.map((one) => (
          <tr key={`${one.portfolioReference}/${one.tipReference}`}>
            <th scope="row">
              <SiteLink href={routes.tip(one.portfolioReference, one.tipReference)}>
                Tip by {one.portfolioName}
              </SiteLink>
            </th>
            <td data-label="When">
              <Time dateTime={one.at}>{formatDate(one.at, { timeZone, style: 'day-time' })}</Time>
            </td>
            <FigureCell data-label="Odds">
              {one.oddsThousandths === null ? '–' : formatTotalOdds(one.oddsThousandths, oddsDisplay)}
            </FigureCell>
            <FigureCell data-label="Stake">{formatAmount(one.stakeMinor, one.currencyId)}</FigureCell>
            <td>
              {one.missed ? (
                <Badge tone="quiet">{missedText[one.missed]}</Badge>
              ) : one.betReference ? (
                <SiteLink href={routes.bet(one.betReference)}>Recorded</SiteLink>
              ) : (
                'Removed from your bets'
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
