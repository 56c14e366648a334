import { formatAmount } from '@/lib/amounts';
import { multipleName } from '@/lib/odds/rules';
import type { BetLegView, BetView } from '@/lib/bets/schema';
import { formatCount, formatDate, formatOdds, formatTotalOdds } from '@/lib/format';
import type { OddsDisplay } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { termsText } from '@/lib/settlement/rules';
import { OutcomeBadge } from '../ui/outcome-badge';
import { Badge } from '../ui/badge';
import { Profit } from '../ui/profit';
import { SiteLink } from '../ui/site-link';
import { Time } from '../ui/time';
import styles from './bet-list.module.scss';
import { RemoveBet } from './remove-bet';

type BetRowProps = { bet: BetView; timeZone: string; oddsDisplay: OddsDisplay; now: string };

/** A bet of one's own: what was backed at which price and stake, its honest marks, and what became of it. */
export function BetRow({ bet, timeZone, oddsDisplay, now }: BetRowProps) {
  const { legs, settlement, tip } = bet;
  const [only] = legs;
  const isSingle = legs.length === 1 && only;
  const title = isSingle ? only.selectionName : multipleName(legs.length);
  return (
    <li className={styles.row} id={bet.reference}>
      <div>
        <h3 className={styles.title}>{title}</h3>
        <ul className={styles.legs}>
          {legs.map((leg) => (
            <Leg
              key={leg.fixtureReference}
              leg={leg}
              isAlone={Boolean(isSingle)}
              timeZone={timeZone}
              oddsDisplay={oddsDisplay}
            />
          ))}
        </ul>
        <p className={styles.facts}>
          Placed <Time dateTime={bet.placedAt}>{formatDate(bet.placedAt, { timeZone, style: 'day-time' })}</Time>
          {tip && (
            <>
              {' '}
              on a tip of{' '}
              <SiteLink href={routes.tip(tip.portfolioReference, tip.reference)}>{tip.portfolioName}</SiteLink>
            </>
          )}
          {settlement?.reason && `. ${settlement.reason}`}
        </p>
        {bet.enteredLate && (
          <p className={styles.marks}>
            <Badge tone="notice">Entered after the start</Badge>
          </p>
        )}
      </div>
      <dl className={styles.figures}>
        <div>
          <dt>Odds</dt>
          <dd>
            {isSingle ? formatOdds(only.price, oddsDisplay) : formatTotalOdds(bet.totalOddsThousandths, oddsDisplay)}
          </dd>
        </div>
        <div>
          <dt>Stake</dt>
          <dd>
            {formatAmount(bet.stakeMinor, bet.currencyId)}
            {bet.eachWay && (
              <>
                {' '}
                <span className={styles.whole}>each-way</span>
              </>
            )}
          </dd>
        </div>
        <div className={styles.result}>
          <dt>{settlement ? <OutcomeBadge outcome={settlement.outcome} /> : 'State'}</dt>
          <dd>
            {settlement ? (
              <Profit
                sign={
                  Number(settlement.profitMinor) > 0 ? 'profit' : Number(settlement.profitMinor) < 0 ? 'loss' : 'level'
                }
              >
                {formatAmount(settlement.profitMinor, bet.currencyId, { sign: true })}
              </Profit>
            ) : (
              <Badge tone="accent">{bet.firstStartsAt <= now ? 'Awaiting result' : 'Open'}</Badge>
            )}
          </dd>
        </div>
      </dl>
      {!settlement && (
        <div className={styles.ways}>
          <RemoveBet
            reference={bet.reference}
            title={isSingle ? title : `${title}, ${formatCount(legs.length, 'leg', 'legs')}`}
          />
        </div>
      )}
    </li>
  );
}

type LegProps = { leg: BetLegView; isAlone: boolean; timeZone: string; oddsDisplay: OddsDisplay };

function Leg({ leg, isAlone, timeZone, oddsDisplay }: LegProps) {
  return (
    <li className={styles.leg}>
      {!isAlone && (
        <>
          <strong>{leg.selectionName}</strong> {formatOdds(leg.price, oddsDisplay)} ·{' '}
        </>
      )}
      {leg.marketName} · <SiteLink href={routes.fixture(leg.fixtureReference)}>{leg.fixtureName}</SiteLink>
      {leg.finalScore && (
        <>
          {' '}
          <span className={styles.whole}>{leg.finalScore}</span>
        </>
      )}{' '}
      · <Time dateTime={leg.startsAt}>{formatDate(leg.startsAt, { timeZone, style: 'day-time' })}</Time> ·{' '}
      {leg.bookmakerName}
      {leg.eachWay && `, ${termsText(leg.eachWay)}`} {leg.ownPrice && <Badge>Own price</Badge>}
      {leg.rule && <span className={styles.rule}>{leg.rule}</span>}
    </li>
  );
}
