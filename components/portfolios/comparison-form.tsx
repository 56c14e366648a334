import { TimeRange, timeRangeNames } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import {
  ComparedPortfolios,
  type ComparisonFilter,
  ComparisonOrder,
  comparisonOrderNames,
  Direction,
  everySport,
  FilterType,
} from '@/lib/stats/schema';
import { Button } from '../ui/button';
import styles from './comparison-form.module.scss';

type ComparisonFormProps = { filter: ComparisonFilter; sports: readonly { id: number; name: string }[] };

type Choice = { value: number; title: string };

/** The comparison filter as a form that needs no script: it sends its fields as the page's own address. */
export function ComparisonForm({ filter, sports }: ComparisonFormProps) {
  return (
    <form action={routes.tipsters()} method="get" className={styles.form}>
      <Select
        name="sportId"
        label="Sport"
        value={filter.sportId}
        choices={[
          { value: everySport, title: 'Every sport' },
          ...sports.map(({ id, name }) => ({ value: id, title: name })),
        ]}
      />
      <Select
        name="period"
        label="Period"
        value={filter.period}
        choices={Object.values(TimeRange).map((value) => ({ value, title: timeRangeNames[value] }))}
      />
      <Select
        name="portfolioType"
        label="Kind"
        value={filter.portfolioType}
        choices={[
          { value: ComparedPortfolios.any, title: 'Public and premium' },
          { value: ComparedPortfolios.public, title: 'Public' },
          { value: ComparedPortfolios.premium, title: 'Premium' },
        ]}
      />
      <Select
        name="filterType"
        label="Stakes"
        value={filter.filterType}
        choices={[
          { value: FilterType.advisedStakes, title: 'As advised' },
          { value: FilterType.levelStakes, title: 'Level' },
        ]}
      />
      <Select
        name="order"
        label="Order by"
        value={filter.order}
        choices={Object.values(ComparisonOrder).map((value) => ({ value, title: comparisonOrderNames[value] }))}
      />
      <Select
        name="direction"
        label="Direction"
        value={filter.direction}
        choices={[
          { value: Direction.bestFirst, title: 'Best first' },
          { value: Direction.worstFirst, title: 'Worst first' },
        ]}
      />
      <Amount name="tips" label="Min. tips" value={filter.tips} step={1} />
      <Amount name="minOdds" label="Min. average odds" value={filter.minOdds} step={0.001} />
      <Amount name="maxOdds" label="Max. average odds" value={filter.maxOdds} step={0.001} />
      <Amount name="profit" label="Min. profit, units" value={filter.profit} step={0.01} />
      <Amount name="roi" label="Min. yield, %" value={filter.roi} step={0.01} />
      <Amount name="followerRoi" label="Min. yield 15 min later, %" value={filter.followerRoi} step={0.01} />
      <Amount name="stillThere" label="Min. price still there, %" value={filter.stillThere} step={0.01} />
      <Amount
        name="maxPrice"
        label="Max. price a month, in the tipster’s currency"
        value={filter.maxPrice}
        step={0.01}
      />
      <Button type="submit">Show</Button>
    </form>
  );
}

function Select({
  name,
  label,
  value,
  choices,
}: {
  name: string;
  label: string;
  value: number;
  choices: readonly Choice[];
}) {
  return (
    <label className={styles.field}>
      {label}
      <select name={name} defaultValue={value}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.title}
          </option>
        ))}
      </select>
    </label>
  );
}

function Amount({ name, label, value, step }: { name: string; label: string; value: number; step: number }) {
  return (
    <label className={styles.field}>
      {label}
      <input
        type="number"
        name={name}
        defaultValue={value > 0 ? value : undefined}
        placeholder="Any"
        step={step}
        min={0}
        inputMode="decimal"
      />
    </label>
  );
}
