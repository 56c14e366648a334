import { useAtom, useAtomValue } from 'jotai';
import { useState } from 'react';
import { offeredTerms, placesNamed, raceChoices } from '@/lib/fixtures/rules';
import { formatCount, formatDate, formatOdds } from '@/lib/format';
import { racingSports } from '@/lib/odds/rules';
import { termsText } from '@/lib/settlement/rules';
import { bestStartingPriceAtom, horseRacingSortAtom } from '../../state/preferences';
import { Field } from '../../ui/field';
import { ChoiceTable } from '../choice-table';
import { useDesk } from '../desk-context';
import { Segments } from '../segments';
import { Switch } from '../switch';
import { Noted } from './noted';
import styles from './outright-winner-selector.module.scss';
import type { SelectorProps } from './selector';
import { listWithoutSearch } from './scorer-selector';

const orders = [
  { value: 'odds', title: 'By odds' },
  { value: 'runner', title: 'By runner' },
] as const;

/** The field of a race or tournament: number, runner and price, by odds or by runner, with the place terms; whoever was withdrawn is struck through. */
export function OutrightWinnerSelector({ group: { kind, name, markets } }: SelectorProps) {
  const { fixture, display, timeZone } = useDesk();
  const [kept, setSort] = useAtom(horseRacingSortAtom);
  const [sought, setSought] = useState('');
  const isRacing = racingSports.includes(fixture.sportReference);
  const starters = fixture.runners.filter(({ withdrawal }) => !withdrawal).length;
  const terms = offeredTerms({
    kind,
    sportReference: fixture.sportReference,
    runners: starters,
    handicap: fixture.handicap,
  });
  const choices = raceChoices(markets, fixture.runners, isRacing ? kept : 'odds');
  const found = placesNamed(choices, sought);
  const count = formatCount(
    starters || choices.length,
    isRacing ? 'runner' : 'entrant',
    isRacing ? 'runners' : 'entrants',
  );
  const eachWay = terms
    ? `Each-way at every bookmaker: ${termsText(terms)} of the odds.`
    : isRacing
      ? 'Too few runners for each-way places: win only.'
      : 'Win only.';
  return (
    <Noted note={`${count}${fixture.handicap ? '. Handicap' : ''}. ${eachWay}`}>
      <div className={styles.tools}>
        {isRacing && (
          <>
            <Segments
              label="Order of the runners"
              choices={orders}
              value={kept}
              onChange={(value) => void setSort(value)}
            />
            <StartingPriceSwitch />
          </>
        )}
        {!isRacing && choices.length > listWithoutSearch && (
          <Field
            type="search"
            name="entrant"
            label="Find an entrant"
            hint={formatCount(found.length, 'entrant', 'entrants')}
            value={sought}
            onChange={({ target }) => setSought(target.value)}
          />
        )}
      </div>
      <ChoiceTable
        label={name}
        heading={isRacing ? 'Runner' : 'Entrant'}
        numbered={choices.some(({ number }) => number !== null)}
        choices={found.map(({ withdrawal, ...choice }) => ({
          ...choice,
          out:
            withdrawal &&
            `Withdrawn ${formatDate(withdrawal.at, { timeZone, style: 'day-time' })}${withdrawal.price ? ` at ${formatOdds(withdrawal.price, display)}` : ''}`,
        }))}
      />
      {found.length === 0 && <p role="status">No entrant matches that name.</p>}
    </Noted>
  );
}

function StartingPriceSwitch() {
  const { view } = useDesk();
  const isOn = useAtomValue(bestStartingPriceAtom);
  const [, set] = useAtom(bestStartingPriceAtom);
  if (!view.bookmakers.some(({ exchange }) => exchange)) return null;
  return (
    <Switch
      label="Best starting price"
      hint="The exchange first, where the starting price is made"
      isOn={isOn}
      onChange={(next) => void set(next)}
    />
  );
}
