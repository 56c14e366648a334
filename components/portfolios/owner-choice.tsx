'use client';

import { useAtomValue } from 'jotai';
import { choosePortfolio, viewerAtom } from '../state/viewer';
import { Select } from '../ui/select';

/** Spec §4: the current portfolio of a member who has several, to be chosen. */
export function OwnerChoice() {
  const viewer = useAtomValue(viewerAtom);
  if (viewer.kind !== 'member' || viewer.portfolios.length < 2) return null;
  return (
    <Select
      name="currentPortfolio"
      label="Current portfolio"
      choices={viewer.portfolios.map(({ reference, name }) => ({ value: reference, title: name }))}
      value={viewer.currentPortfolio ?? ''}
      onChange={({ target: { value } }) => void choosePortfolio(value)}
    />
  );
}
