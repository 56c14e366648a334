import { useState } from 'react';
import { placesNamed, rowLayout } from '@/lib/fixtures/rules';
import { formatCount } from '@/lib/format';
import { Field } from '../../ui/field';
import { ChoiceTable } from '../choice-table';
import { Noted } from './noted';
import styles from './scorer-selector.module.scss';
import type { SelectorProps } from './selector';

/** Ours: how many players a list shows without a field to search them. */
export const listWithoutSearch = 12;

/** Who scores at any time: a list of players by odds, to be searched when it is long. */
export function ScorerSelector({ group: { name, markets } }: SelectorProps) {
  const [sought, setSought] = useState('');
  const all = rowLayout(markets).map((place) => ({
    key: String(place.selection.id),
    name: place.selection.name,
    place,
  }));
  const found = placesNamed(all, sought);
  return (
    <Noted note="If the player takes no part, the stake is returned.">
      {all.length > listWithoutSearch && (
        <div className={styles.search}>
          <Field
            type="search"
            name="player"
            label="Find a player"
            hint={formatCount(found.length, 'player', 'players')}
            value={sought}
            onChange={({ target }) => setSought(target.value)}
          />
        </div>
      )}
      <ChoiceTable label={name} heading="Player" choices={found} />
      {found.length === 0 && <p role="status">No player on offer matches that name.</p>}
    </Noted>
  );
}
