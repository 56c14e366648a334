import { useState } from 'react';
import type { ComponentType } from 'react';
import type { MarketGroup } from '@/lib/fixtures/rules';
import { formatCount, formatOdds } from '@/lib/format';
import { Fetched } from '../modals/fetched';
import { useDesk } from './desk-context';
import styles from './market-block.module.scss';
import type { SelectorProps } from './selectors/selector';
import { selectors } from './selectors/selectors';

type MarketBlockProps = { group: MarketGroup; isMatrix: boolean; opensFirst: boolean };

const loadMatrix = (): Promise<ComponentType<SelectorProps>> => import('./matrix').then(({ Matrix }) => Matrix);

/** A market, or all lines of one, to open: in its own selector, or every bookmaker's prices side by side. */
export function MarketBlock({ group, isMatrix, opensFirst }: MarketBlockProps) {
  const [chosen, setOpen] = useState<boolean | null>(null);
  const isOpen = chosen ?? opensFirst;
  return (
    <details
      className={styles.market}
      open={isOpen}
      onToggle={({ currentTarget }) => currentTarget.open !== isOpen && setOpen(currentTarget.open)}
    >
      <summary>
        <h2>{group.name}</h2>
        {!isOpen && <Summary group={group} />}
      </summary>
      {isOpen && (
        <div className={styles.body}>
          <Fetched load={isMatrix ? loadMatrix : selectors[group.kind]}>
            {(Selector) => <Selector group={group} />}
          </Fetched>
        </div>
      )}
    </details>
  );
}

/** What a closed market holds: its shortest price, and how many there are. */
function Summary({ group: { markets } }: { group: MarketGroup }) {
  const { quoteOf, display } = useDesk();
  const all = markets.flatMap(({ selections }) => selections);
  const [first] = all
    .filter((selection) => quoteOf(selection))
    .toSorted((a, b) => (a.selectedOdds ?? 0) - (b.selectedOdds ?? 0));
  const quote = first && quoteOf(first);
  return (
    <span className={styles.summary}>
      {markets.length > 1
        ? formatCount(markets.length, 'line', 'lines')
        : formatCount(all.length, 'selection', 'selections')}
      {quote && `, from ${formatOdds(quote.price, display)}`}
    </span>
  );
}
