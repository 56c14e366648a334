import { HelpHere } from '@/components/content/help-here';
import { HelpList } from '@/components/content/help-list';
import { listShownHelpLines } from '@/lib/reference/queries';
import { countries } from '@/lib/reference/schema';
import { readHelp } from '../../_sections/help';
import { contentMetadata, LonePage } from '../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'safer-gambling');

export default async function SaferGamblingPage() {
  const [help, lines] = [await readHelp(), await listShownHelpLines()];
  const named = lines
    .map(({ countryId, ...line }) => ({ country: countries.find(({ id }) => id === countryId)?.name ?? '', ...line }))
    .filter(({ country }) => country !== '')
    .toSorted((one, other) => one.country.localeCompare(other.country, 'en-GB'));
  return (
    <LonePage reference="safer-gambling" before={help && <HelpHere help={help} />}>
      <HelpList lines={named} />
    </LonePage>
  );
}
