import type { AutobetRuleView } from '@/lib/bets/schema';
import { formatCount } from '@/lib/format';
import { currencies, type CurrencyId, type OddsDisplay, sports } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { Badge } from '../ui/badge';
import { SiteLink } from '../ui/site-link';
import { AutobetForm } from './autobet-form';
import styles from './autobets.module.scss';

type Entry = { tipster: { reference: string; name: string; demo: boolean }; rule: AutobetRuleView | null };

type AutobetRulesProps = { entries: readonly Entry[]; betCurrencyId: CurrencyId; oddsDisplay: OddsDisplay };

const offered = sports
  .filter(({ enabled }) => enabled)
  .toSorted((a, b) => a.rank - b.rank)
  .map(({ reference, name }) => ({ reference, name }));

/** The rules of a member, one for each tipster. */
export function AutobetRules({ entries, betCurrencyId, oddsDisplay }: AutobetRulesProps) {
  return (
    <ul className={styles.rules}>
      {entries.map(({ tipster, rule }) => (
        <li key={tipster.reference}>
          <div className={styles.head}>
            <h3 className={styles.name}>
              <SiteLink href={routes.portfolio(tipster.reference)}>{tipster.name}</SiteLink>
            </h3>
            {rule && <Badge tone={rule.enabled ? 'accent' : 'quiet'}>{rule.enabled ? 'On' : 'Off'}</Badge>}
            {tipster.demo && <Badge tone="quiet">Demo data</Badge>}
            {rule && (
              <span className={styles.note}>
                {formatCount(rule.recorded, 'bet', 'bets')} recorded, {rule.missed} missed
              </span>
            )}
          </div>
          <AutobetForm
            tipster={tipster}
            rule={rule}
            currencies={currencies}
            betCurrencyId={betCurrencyId}
            sports={offered}
            oddsDisplay={oddsDisplay}
          />
        </li>
      ))}
    </ul>
  );
}
