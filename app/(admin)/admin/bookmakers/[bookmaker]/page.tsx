import type { Metadata } from 'next';
import { StaffDetail } from '@/components/admin/staff-detail';
import { StaffForm, type StaffField } from '@/components/admin/staff-form';
import { cleanHtml } from '@/lib/content/rules';
import { Html } from '@/components/ui/html';
import { defaultView } from '@/lib/pages/default-view';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { readStaffViewer } from '@/lib/pages/staff-page';
import { getEditableBookmaker } from '@/lib/reference/queries';
import { countries, type EditableBookmaker } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type BookmakerPageProps = { params: Promise<{ bookmaker: string }> };

export async function generateMetadata({ params }: BookmakerPageProps): Promise<Metadata> {
  const { bookmaker } = await params;
  return pageMetadata({
    title: `Bookmaker: ${bookmaker}`,
    description: 'What the site says of a bookmaker, for staff.',
    path: routes.staff('bookmakers', { id: bookmaker }),
    index: false,
  });
}

const codesOf = (ids: readonly number[]) =>
  ids.map((id) => countries.find((country) => country.id === id)?.iso2 ?? '').join(' ');

const shown = [
  { value: 'true', title: 'Yes' },
  { value: 'false', title: 'No' },
];
const codes = 'Two-letter codes of countries where it is left out, such as FR US.';

function fieldsOf(bookmaker: EditableBookmaker): StaffField[] {
  return [
    { kind: 'text', name: 'url', label: 'Home page', hint: 'By https; empty for none.', value: bookmaker.url },
    { kind: 'text', name: 'bonusOffer', label: 'Offer', hint: 'Empty for none.', value: bookmaker.bonusOffer },
    { kind: 'lines', name: 'bonusTerms', label: 'Terms of the offer', hint: 'HTML.', value: bookmaker.bonusTerms },
    {
      kind: 'text',
      name: 'rating',
      label: 'Rating',
      hint: '0 to 10 in tenths; empty for none.',
      value: String(bookmaker.rating ?? ''),
    },
    { kind: 'lines', name: 'description', label: 'Description', value: bookmaker.description },
    {
      kind: 'lines',
      name: 'bulletPoints',
      label: 'Points',
      hint: 'One a line.',
      value: bookmaker.bulletPoints.join('\n'),
    },
    {
      kind: 'text',
      name: 'backgroundColour',
      label: 'Colour',
      hint: 'Such as #12355b.',
      value: bookmaker.backgroundColour,
      isNeeded: true,
    },
    {
      kind: 'number',
      name: 'rank',
      label: 'Rank',
      hint: 'A smaller one stands first.',
      value: String(bookmaker.rank),
      isNeeded: true,
    },
    {
      kind: 'choice',
      name: 'showOnMarkets',
      label: 'Shown on markets',
      choices: shown,
      value: String(bookmaker.showOnMarkets),
    },
    {
      kind: 'text',
      name: 'marketsCountryBlock',
      label: 'Markets: blocked in',
      hint: codes,
      value: codesOf(bookmaker.marketsCountryBlock),
    },
    {
      kind: 'choice',
      name: 'showOnLiveOdds',
      label: 'Shown on live odds',
      choices: shown,
      value: String(bookmaker.showOnLiveOdds),
    },
    {
      kind: 'text',
      name: 'liveOddsCountryBlock',
      label: 'Live odds: blocked in',
      hint: codes,
      value: codesOf(bookmaker.liveOddsCountryBlock),
    },
    {
      kind: 'choice',
      name: 'showOnAddTips',
      label: 'Shown when adding tips',
      choices: shown,
      value: String(bookmaker.showOnAddTips),
    },
    {
      kind: 'text',
      name: 'addTipsCountryBlock',
      label: 'Adding tips: blocked in',
      hint: codes,
      value: codesOf(bookmaker.addTipsCountryBlock),
    },
  ];
}

export default async function BookmakerPage({ params }: BookmakerPageProps) {
  const { bookmaker: reference } = await params;
  await readStaffViewer(routes.staff('bookmakers', { id: reference }));
  const bookmaker = await orNotFound(getEditableBookmaker(reference));
  return (
    <StaffDetail
      title={bookmaker.name}
      timeZone={defaultView.timeZone}
      facts={[
        { title: 'Number', value: bookmaker.id },
        {
          title: 'Kind',
          value: `${bookmaker.exchange ? 'Exchange' : 'Bookmaker'}, ${bookmaker.demo ? 'fictional' : 'real'}`,
        },
        { title: 'Rank', value: bookmaker.rank },
        { title: 'Rating', value: bookmaker.rating },
        { title: 'Offer', value: bookmaker.bonusOffer || 'None' },
        ...(bookmaker.bonusTerms ? [{ title: 'Terms', value: <Html html={cleanHtml(bookmaker.bonusTerms)} /> }] : []),
        { title: 'Blocked on markets in', value: codesOf(bookmaker.marketsCountryBlock) || 'No country' },
        { title: 'Blocked on live odds in', value: codesOf(bookmaker.liveOddsCountryBlock) || 'No country' },
        { title: 'Blocked when adding tips in', value: codesOf(bookmaker.addTipsCountryBlock) || 'No country' },
      ]}
      actions={
        <StaffForm
          call="POST /admin/bookmakers/{bookmaker}"
          params={{ bookmaker: reference }}
          action="bookmaker.edit"
          lead="Its name and number stay as they are: bets and tips on the record name it by them."
          fixed={{ revision: String(bookmaker.revision) }}
          fields={fieldsOf(bookmaker)}
        />
      }
    />
  );
}
