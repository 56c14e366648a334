import type { BetFilter, BetRecord } from '@/lib/bets/schema';
import { currencies, sports, TimeRange, timeRangeNames } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { Button } from '../ui/button';
import { Select } from '../ui/select';
import styles from './bet-list.module.scss';

type BetFilterFormProps = { filter: BetFilter; record: Pick<BetRecord, 'sports' | 'currencies' | 'currencyId'> };

/** Which bets are shown and counted, as a form that needs no script. */
export function BetFilterForm({ filter, record }: BetFilterFormProps) {
  const backed = sports.filter(({ reference }) => record.sports.includes(reference));
  const staked = currencies.filter(({ id }) => record.currencies.includes(id));
  return (
    <form action={routes.bets()} method="get" className={styles.filter}>
      <Select
        name="sport"
        label="Sport"
        defaultValue={filter.sport ?? ''}
        choices={[
          { value: '', title: 'Every sport' },
          ...backed.map(({ reference, name }) => ({ value: reference, title: name })),
        ]}
      />
      <Select
        name="period"
        label="Placed within"
        defaultValue={filter.period}
        choices={Object.values(TimeRange).map((value) => ({ value, title: timeRangeNames[value] }))}
      />
      {staked.length > 1 && (
        <Select
          name="currency"
          label="Staked in"
          defaultValue={record.currencyId}
          choices={staked.map(({ id, name }) => ({ value: id, title: name }))}
        />
      )}
      <Button type="submit" look="secondary">
        Show
      </Button>
    </form>
  );
}
