'use client';

import type { EditedFixture } from '../state/modals';
import { StaffForm, type StaffField } from './staff-form';
import styles from './staff-form.module.scss';

const score = (name: string, label: string, isNeeded: boolean): StaffField => ({
  kind: 'number',
  name,
  label,
  isNeeded,
});

const halfTime = [
  score('halfTimeHome', 'Home at half-time, where known', false),
  score('halfTimeAway', 'Away at half-time, where known', false),
];

const sets = (hint: string, isNeeded: boolean): StaffField => ({
  kind: 'lines',
  name: 'sets',
  label: 'Sets',
  hint: `What each side had in every set, home first, one set on a line, such as: 6-4. ${hint}`,
  isNeeded,
});

const scorerFields = (priced: readonly string[]): StaffField[] =>
  priced.length === 0
    ? []
    : [
        {
          kind: 'lines',
          name: 'scorers',
          label: 'Scorers, where known',
          hint: `The half and the player of every goal, one on a line, such as: 1 ${priced[0]}. An own goal: 2 ${priced[0]} (own goal).`,
        },
        {
          kind: 'lines',
          name: 'absentees',
          label: 'Took no part',
          hint: `Those of these who did not play, one on a line: ${priced.join(', ')}.`,
        },
      ];

const endings = [
  { value: 'walkover', title: 'Walkover: it was not begun' },
  { value: 'home-retired', title: 'The home side retired' },
  { value: 'away-retired', title: 'The away side retired' },
];

const statuses = [
  { value: 'awaiting-result', title: 'Awaiting result' },
  { value: 'pending', title: 'Pending: the result is asked for' },
  { value: 'retry', title: 'Ask again' },
];

const firstHalf = {
  kind: 'choice',
  name: 'firstHalf',
  label: 'First half',
  choices: [
    { value: 'as-known', title: 'As it is known, or entered here' },
    { value: 'not-reached', title: 'Given up before half-time' },
  ],
} as const;

/** Spec §2.5, product §11: the edit fixture modal: start, postponed, status, score or placings, abandoned, and withdrawals, by which Rule 4 deducts. */
export function EditFixture({ fixture }: { fixture: EditedFixture }) {
  const { reference, startsAt, status, isRace, isInSets, scorers, runners } = fixture;
  const shared = { call: 'POST /admin/fixtures/{reference}', params: { reference } } as const;
  const isPlayed = status === 'complete';
  const hasHalves = !isRace && !isInSets;
  const withdrawn = runners.filter(({ withdrawnAt }) => withdrawnAt !== null);
  const sides = (isNeeded: boolean) => [
    score('home', isInSets ? 'Sets won at home' : 'Home', isNeeded),
    score('away', isInSets ? 'Sets won away' : 'Away', isNeeded),
  ];
  return (
    <div className={styles.actions}>
      {!isPlayed && (
        <StaffForm
          {...shared}
          action="fixture.start"
          fields={[
            {
              kind: 'datetime-local',
              name: 'startsAt',
              label: 'Start',
              hint: 'In UTC.',
              value: startsAt.slice(0, 16),
              isNeeded: true,
            },
          ]}
        />
      )}
      {!isPlayed && (
        <StaffForm
          {...shared}
          action="fixture.postpone"
          lead="It is not played at its start, and the new one is not known. Bets on it are void once the window for postponed fixtures is over; moving its start takes this back."
          fields={[]}
        />
      )}
      {!isPlayed && (
        <StaffForm
          {...shared}
          action="fixture.status"
          fields={[{ kind: 'choice', name: 'status', label: 'Status', value: status, choices: statuses }]}
        />
      )}
      {isRace ? (
        <StaffForm
          {...shared}
          action="fixture.placings"
          lead="Adds a version of the result. Tips and bets are settled again by it."
          fields={[
            {
              kind: 'lines',
              name: 'placings',
              label: 'Placings',
              hint: 'A place and a runner on each line, such as: 1 Tin Whistle. Runners of a dead heat have the same place.',
              isNeeded: true,
            },
          ]}
        />
      ) : (
        <StaffForm
          {...shared}
          action="fixture.score"
          lead="Adds a version of the result. Tips and bets are settled again by it."
          fields={[...sides(true), ...(isInSets ? [sets('', true)] : halfTime), ...scorerFields(scorers)]}
        />
      )}
      <StaffForm
        {...shared}
        action="fixture.abandon"
        lead={`It was begun and given up${isRace ? '' : ', at a score where there was one'}.${hasHalves ? ' Bets on the first half are settled by the half-time score.' : ''}`}
        fields={[
          ...(isRace ? [] : sides(false)),
          ...(isInSets ? [sets('The last one may be unfinished.', false)] : []),
          ...(hasHalves ? [firstHalf, ...halfTime] : []),
          ...scorerFields(scorers),
        ]}
      />
      {isInSets && (
        <StaffForm
          {...shared}
          action="fixture.end"
          lead="Bets on a walkover are void; after a retirement those stand that were decided, and the winner by the rule of the bookmaker."
          fields={[
            { kind: 'choice', name: 'ending', label: 'How it ended', choices: endings },
            score('home', 'Sets won at home until then', false),
            score('away', 'Sets won away until then', false),
            sets('The last one may be unfinished. Nothing for a walkover.', false),
          ]}
        />
      )}
      {isRace && runners.length > 0 && (
        <StaffForm
          {...shared}
          action="fixture.withdraw"
          lead="Bets on the runner are void; by its last price, Rule 4 deducts from bets on the others that were made before. Of a runner that was withdrawn already, what you enter takes the place of what stands."
          fields={[
            {
              kind: 'choice',
              name: 'runner',
              label: 'Runner',
              choices: runners.map(({ name, withdrawnAt }) => ({
                value: name,
                title: withdrawnAt === null ? name : `${name}, withdrawn`,
              })),
            },
            {
              kind: 'datetime-local',
              name: 'at',
              label: 'When',
              hint: 'In UTC; may stay empty for a runner that was withdrawn already.',
            },
            {
              kind: 'text',
              name: 'odds',
              label: 'Last price',
              hint: 'Such as 10/3, evens or 4.5. Empty where nobody knows it yet: winners wait for it.',
            },
          ]}
        />
      )}
      {withdrawn.length > 0 && (
        <StaffForm
          {...shared}
          action="fixture.reinstate"
          lead="It ran after all: bets on it stand, and Rule 4 deducts nothing for it."
          fields={[
            {
              kind: 'choice',
              name: 'runner',
              label: 'Runner',
              choices: withdrawn.map(({ name }) => ({ value: name, title: name })),
            },
          ]}
        />
      )}
    </div>
  );
}
