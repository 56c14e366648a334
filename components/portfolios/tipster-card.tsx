import { formatCount, formatNumber, formatPercent, formatUnits } from '@/lib/format';
import { TimeRange, timeRangeNames } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { type ComparedPortfolio, shownResults } from '@/lib/stats/schema';
import { LetterList } from '../stats/letter-list';
import { ProfitSketch } from '../stats/profit-sketch';
import { Badge } from '../ui/badge';
import { SiteLink } from '../ui/site-link';
import { Units } from '../ui/units';
import { Face } from './face';
import { FollowButton } from './follow-button';
import { PriceNote } from './price-note';
import { SpecialityNote } from './speciality-note';
import styles from './tipster-card.module.scss';

type TipsterCardProps = { portfolio: ComparedPortfolio };

/** Ours (0065): what the figures of every card are of. */
export const cardBasis = `${timeRangeNames[TimeRange.year]}, advised stakes`;

/** A tipster in a few figures of the past 12 months at advised stakes: what was won and lost over how many tips, how it came about, and who follows. */
export function TipsterCard({ portfolio }: TipsterCardProps) {
  const { reference, name, demo, followers, statistics, picture, speciality, curve } = portfolio;
  const { advised, tips, tooFew } = statistics;
  const letters = portfolio.form.slice(-shownResults);
  return (
    <article className={styles.card}>
      <Face reference={reference} picture={picture} />
      <div>
        <h3 className={styles.name}>
          <SiteLink href={routes.portfolio(reference)}>{name}</SiteLink>
        </h3>
        <p className={styles.note}>
          {formatCount(followers, 'follower', 'followers')}
          {speciality && <SpecialityNote speciality={speciality} />}
          {demo && <Badge tone="quiet">Demo data</Badge>}
          {tooFew && <Badge tone="notice">Too few to judge</Badge>}
        </p>
      </div>
      <div>
        <FollowButton portfolioReference={reference} name={name} />
      </div>
      <dl className={styles.figures}>
        <div>
          <dt>Profit, units</dt>
          <dd>
            <Units hundredths={advised.profitHundredths} />
          </dd>
        </div>
        <div>
          <dt>Yield</dt>
          <dd>{advised.yieldPercent ? formatPercent(advised.yieldPercent.value, { sign: true }) : '–'}</dd>
        </div>
        <div>
          <dt>Tips</dt>
          <dd>{formatNumber(tips)}</dd>
        </div>
      </dl>
      <div className={styles.course}>
        <ProfitSketch
          curve={curve}
          label={`Profit curve, to ${formatUnits(advised.profitHundredths, { sign: true })} units`}
        />
        {letters && (
          <LetterList
            letters={letters}
            size="small"
            label={`Last ${formatCount(letters.length, 'result', 'results')}, oldest first`}
          />
        )}
      </div>
      <p className={styles.basis}>
        {cardBasis}
        {portfolio.price && (
          <>
            . Membership per month from <PriceNote portfolio={portfolio} />
          </>
        )}
      </p>
    </article>
  );
}
