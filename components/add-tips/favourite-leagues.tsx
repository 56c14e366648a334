'use client';

import { useAtom } from 'jotai';
import { useEffect } from 'react';
import type { LeagueGroup } from '@/lib/fixtures/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import { favouriteLeaguesAtom, loadPreferences } from '../state/preferences';
import { FavouriteStar } from './favourite-star';
import { favouritesFirst, withFavourite } from './favourites';
import { FixtureChoices } from './fixture-choices';

/** The leagues of a sport, the favourites first; a star makes one. */
export function FavouriteLeagues({
  groups,
  timeZone,
  display,
}: {
  groups: readonly LeagueGroup[];
  timeZone: string;
  display: OddsDisplay;
}) {
  const [favourites, setFavourites] = useAtom(favouriteLeaguesAtom);
  useEffect(() => void loadPreferences(), []);
  return (
    <FixtureChoices
      groups={favouritesFirst(groups, favourites, ({ league }) => league.reference)}
      timeZone={timeZone}
      display={display}
      beside={(reference, name) => (
        <FavouriteStar
          name={name}
          isOn={favourites.includes(reference)}
          onChange={(isOn) => void setFavourites(withFavourite(favourites, reference, isOn))}
        />
      )}
    />
  );
}
