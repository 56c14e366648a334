import { contentLimits, type ContentDraft, type ContentKind } from '@/lib/content/schema';
import { sports } from '@/lib/reference/schema';
import type { StaffField } from './staff-form';

const lines = (value: unknown) => (Array.isArray(value) ? value.join('\n') : '');
const words = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

function factFields(kind: ContentKind, facts: Readonly<Record<string, unknown>>): StaffField[] {
  switch (kind) {
    case 'articles':
    case 'tip-of-the-day':
      return [
        {
          kind: 'choice',
          name: 'sport',
          label: 'Sport',
          value: words(facts['sport']),
          choices: [
            { value: '', title: 'No sport' },
            ...sports.map(({ reference, name }) => ({ value: reference, title: name })),
          ],
        },
      ];
    case 'betting-terms':
      return [
        { kind: 'text', name: 'term', label: 'Term', value: words(facts['term']), isNeeded: true },
        {
          kind: 'lines',
          name: 'seeAlso',
          label: 'See also',
          hint: 'References of other terms, one a line.',
          value: lines(facts['seeAlso']),
        },
      ];
    case 'bookmaker-reviews':
      return [
        {
          kind: 'text',
          name: 'bookmakerId',
          label: 'Number of the bookmaker',
          value: words(facts['bookmakerId']),
          isNeeded: true,
        },
        {
          kind: 'text',
          name: 'rating',
          label: 'Rating',
          hint: 'Of 5, in halves; empty for none.',
          value: words(facts['rating']),
        },
        { kind: 'lines', name: 'pros', label: 'For it', hint: 'One a line.', value: lines(facts['pros']) },
        { kind: 'lines', name: 'cons', label: 'Against it', hint: 'One a line.', value: lines(facts['cons']) },
      ];
    default:
      return [];
  }
}

/** When a version shall be public: the fields of every form that makes one. */
export const publishingFields: readonly StaffField[] = [
  {
    kind: 'choice',
    name: 'when',
    label: 'Public',
    value: 'draft',
    choices: [
      { value: 'draft', title: 'Not yet: keep it as a draft' },
      { value: 'now', title: 'At once' },
      { value: 'at', title: 'At a moment' },
    ],
  },
  { kind: 'datetime-local', name: 'publishAt', label: 'Moment (UTC)', hint: 'Where it is public at a moment.' },
];

/** The fields of a page of content of a kind; `page` is what they hold to begin with, null for a new one. */
export function contentFields(kind: ContentKind, page: ContentDraft | null): StaffField[] {
  return [
    { kind: 'text', name: 'title', label: 'Title', value: page?.title ?? '', isNeeded: true },
    {
      kind: 'text',
      name: 'summary',
      label: 'Summary',
      hint: `${contentLimits.shortestSummary} to ${contentLimits.longestSummary} characters, for lists and search engines.`,
      value: page?.summary ?? '',
      isNeeded: true,
    },
    {
      kind: 'choice',
      name: 'demo',
      label: 'Of what',
      value: String(page?.demo ?? false),
      choices: [
        { value: 'false', title: 'The real world' },
        { value: 'true', title: 'The demo world' },
      ],
    },
    ...factFields(kind, page?.facts ?? {}),
    {
      kind: 'markdown',
      name: 'body',
      label: 'Text',
      value: page?.body ?? '',
      longest: contentLimits.longestBody,
      isNeeded: true,
    },
    ...publishingFields,
  ];
}
