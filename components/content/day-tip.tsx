import { formatCount, formatPercent, formatUnits } from '@/lib/format';
import type { OddsDisplay } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { selectionHeading } from '@/lib/tips/rules';
import { multipleName } from '@/lib/odds/rules';
import type { TopTip } from '@/lib/tips/schema';
import { Badge } from '../ui/badge';
import { ButtonLink } from '../ui/button-link';
import { SiteLink } from '../ui/site-link';
import { Stat } from '../ui/stat';
import { Stats } from '../ui/stats';
import { Term } from '../ui/term';
import { Moment } from '../formats/moment';
import { Odds } from '../formats/odds';
import { TotalOdds } from '../formats/total-odds';
import { ZoneName } from '../formats/zone-name';
import styles from './day-tip.module.scss';

type DayTipProps = { top: TopTip; timeZone: string; timeZoneName: string; oddsDisplay: OddsDisplay };

/** Today's tip in full: what is backed, where and at which price, why, by whom, and the way to its place in the record. */
export function DayTip({ top: { tip, year }, timeZone, timeZoneName, oddsDisplay }: DayTipProps) {
  const [only] = tip.legs;
  const single = tip.legCount === 1 ? only : undefined;
  const { yieldPercent } = year.advised;
  return (
    <article className={styles.tip} aria-labelledby="day-tip">
      <p className={styles.when}>
        <span>
          Starts <Moment at={tip.firstStartsAt} style="day-time" timeZone={timeZone} /> <ZoneName name={timeZoneName} />
        </span>
        {tip.demo && <Badge tone="notice">Demo data</Badge>}
      </p>
      <h2 id="day-tip">
        <SiteLink href={routes.tip(tip.portfolioReference, tip.reference)}>
          {single ? selectionHeading(single) : multipleName(tip.legCount)}
        </SiteLink>
      </h2>
      <ul className={styles.legs}>
        {tip.legs.map((leg) => (
          <li key={leg.fixtureReference}>
            {!single && <strong>{leg.selectionName}, </strong>}
            {leg.marketName} in <SiteLink href={routes.fixture(leg.fixtureReference)}>{leg.fixtureName}</SiteLink>
            {!single && (
              <>
                {' '}
                at <Odds price={leg.price} display={oddsDisplay} />
              </>
            )}
          </li>
        ))}
      </ul>
      <Stats>
        <Stat label="Price taken" term="odds" note={single?.bookmakerName}>
          {single ? (
            <Odds price={single.price} display={oddsDisplay} />
          ) : (
            <TotalOdds thousandths={tip.totalOddsThousandths ?? 0} display={oddsDisplay} />
          )}
        </Stat>
        <Stat label="Stake" term="stake" note={tip.eachWay ? <Term of="each-way">each-way</Term> : undefined}>
          {formatUnits(tip.stakeHundredths)} u
        </Stat>
        <Stat
          label="The tipster’s yield"
          term="yield"
          note={`past 12 months, advised stakes, ${formatCount(year.tips, 'tip', 'tips')}`}
        >
          {yieldPercent ? formatPercent(yieldPercent.value, { sign: true }) : '–'}
        </Stat>
      </Stats>
      {tip.analysis && (
        <div className={styles.why}>
          <h3>Why</h3>
          {tip.analysis.split(/\n{2,}/).map((paragraph, index) => (
            <p key={index}>{paragraph}</p>
          ))}
        </div>
      )}
      <p className={styles.who}>
        By <SiteLink href={routes.portfolio(tip.portfolioReference)}>{tip.portfolioName}</SiteLink>, published{' '}
        <Moment at={tip.publishedAt} style="day-time" timeZone={timeZone} /> <ZoneName name={timeZoneName} />
      </p>
      <p className={styles.ways}>
        <ButtonLink href={routes.tip(tip.portfolioReference, tip.reference)}>The whole tip</ButtonLink>
        {tip.ledgerSequence !== null && (
          <ButtonLink look="secondary" href={routes.ledger({ tip: tip.reference })}>
            Entry {tip.ledgerSequence} of the record
          </ButtonLink>
        )}
      </p>
    </article>
  );
}
