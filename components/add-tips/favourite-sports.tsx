'use client';

import { useAtom } from 'jotai';
import { useEffect } from 'react';
import { favouriteSportsAtom, loadPreferences } from '../state/preferences';
import { FavouriteStar } from './favourite-star';
import { favouritesFirst, withFavourite } from './favourites';
import { type SportChoice, SportChoices } from './sport-choices';

/** Sports to choose from, the favourites first; a star makes one. */
export function FavouriteSports({ sports }: { sports: readonly SportChoice[] }) {
  const [favourites, setFavourites] = useAtom(favouriteSportsAtom);
  useEffect(() => void loadPreferences(), []);
  return (
    <SportChoices
      sports={favouritesFirst(sports, favourites, ({ reference }) => reference)}
      beside={({ reference, name }) => (
        <FavouriteStar
          name={name}
          isOn={favourites.includes(reference)}
          onChange={(isOn) => void setFavourites(withFavourite(favourites, reference, isOn))}
        />
      )}
    />
  );
}
