import { editBookmaker, editHelpLine } from '@/lib/content/commands';
import { bookmakerOrderSchema, helpLineOrderSchema } from '@/lib/content/schema';
import { getMarkets } from '@/lib/fixtures/queries';
import { auditRecord } from '@/lib/audit/commands';
import { storeBookmakers } from '@/lib/reference/commands';
import { findHelpLine, getEditableBookmaker, listBookmakers } from '@/lib/reference/queries';
import { countries, defaultCountry, Role } from '@/lib/reference/schema';
import { listStaffActions } from '@/lib/staff/queries';
import { openStaff } from '../support/accounts';
import { onTestDatabase, undone } from '../support/database';
import { guestFrom } from '../support/viewer';
import { worldNow } from '../support/world';

onTestDatabase();

const countryId = (iso2: string) => countries.find((country) => country.iso2 === iso2)?.id ?? 0;

async function form(reference: string, more: Record<string, unknown> = {}) {
  const bookmaker = await getEditableBookmaker(reference);
  return bookmakerOrderSchema.parse({
    action: 'bookmaker.edit',
    reason: 'The firm has told us so',
    revision: String(bookmaker.revision),
    url: bookmaker.url,
    bonusOffer: bookmaker.bonusOffer,
    bonusTerms: bookmaker.bonusTerms,
    rating: String(bookmaker.rating ?? ''),
    description: bookmaker.description,
    bulletPoints: bookmaker.bulletPoints.join('\n'),
    backgroundColour: bookmaker.backgroundColour,
    rank: String(bookmaker.rank),
    showOnMarkets: String(bookmaker.showOnMarkets),
    marketsCountryBlock: '',
    showOnLiveOdds: String(bookmaker.showOnLiveOdds),
    liveOddsCountryBlock: '',
    showOnAddTips: String(bookmaker.showOnAddTips),
    addTipsCountryBlock: '',
    ...more,
  });
}

const athletic = 'athletic-v-wanderers-2026-03-10';
const booksIn = async (iso2: Parameters<typeof guestFrom>[0]) =>
  (
    await getMarkets(guestFrom(iso2), athletic, { showAll: true, pinnacleOnly: false, purpose: 'markets' }, worldNow)
  ).bookmakers.map(({ reference }) => reference);

describe('a bookmaker', () => {
  test(
    'is changed for all that read it, keeps the change over a start, and the log says what it was',
    undone(async () => {
      const { viewer } = await openStaff('ann-staff', Role.admin, worldNow);
      expect((await listBookmakers()).find(({ reference }) => reference === 'bet365')?.description).toBe('');
      await editBookmaker(viewer, 'bet365', await form('bet365', { description: 'A large book.', rating: '7.5' }));
      await storeBookmakers();
      expect(await getEditableBookmaker('bet365')).toMatchObject({
        description: 'A large book.',
        rating: 7.5,
        revision: 1,
      });
      const [entry] = await listStaffActions(viewer, { subject: { kind: 'bookmaker', id: 'bet365' }, limit: 1 });
      expect(entry).toMatchObject({
        action: 'bookmaker.edit',
        before: { Description: '', Rating: null },
        after: { Description: 'A large book.', Rating: 7.5 },
      });
      await auditRecord(worldNow);
    }),
  );

  test(
    'that is blocked in a country is left out there, and stands in the place that its rank gives it elsewhere',
    undone(async () => {
      const { viewer } = await openStaff('ann-staff', Role.admin, worldNow);
      const before = await booksIn('GB');
      expect(before).toContain('bet365');
      await editBookmaker(viewer, 'bet365', await form('bet365', { marketsCountryBlock: 'gb, FR' }));
      expect((await getEditableBookmaker('bet365')).marketsCountryBlock).toEqual(
        [countryId('FR'), countryId('GB')].sort((one, other) => one - other),
      );
      expect(await booksIn('GB')).not.toContain('bet365');
      expect(await booksIn('IE')).toContain('bet365');
      const last = before.at(-1) ?? '';
      await editBookmaker(viewer, last, await form(last, { rank: '1' }));
      expect((await booksIn('IE'))[0]).toBe(last);
    }),
  );

  test(
    'is changed by the first of two who saw the same; a preview changes nothing',
    undone(async () => {
      const { viewer: ann } = await openStaff('ann-staff', Role.admin, worldNow);
      const { viewer: bob } = await openStaff('bob-staff', Role.superAdmin, worldNow);
      const [first, second] = [await form('bet365', { rank: '5' }), await form('bet365', { rank: '6' })];
      expect(await editBookmaker(bob, 'bet365', { ...second, preview: true })).toMatchObject({
        entry: null,
        before: { Rank: 1000 },
        after: { Rank: 6 },
      });
      await editBookmaker(ann, 'bet365', first);
      await expect(editBookmaker(bob, 'bet365', second)).rejects.toMatchObject({ kind: 'conflict' });
      expect((await getEditableBookmaker('bet365')).rank).toBe(5);
    }),
  );

  test(
    'is refused with an offer without terms, an unknown country, a colour that is none, and for whoever is no staff',
    undone(async () => {
      const { viewer } = await openStaff('ann-staff', Role.admin, worldNow);
      const edit = async (more: Record<string, unknown>) => editBookmaker(viewer, 'bet365', await form('bet365', more));
      await expect(edit({ bonusOffer: 'Bet £10, get £20' })).rejects.toMatchObject({
        fields: { bonusTerms: expect.any(String) },
      });
      await expect(edit({ liveOddsCountryBlock: 'XX' })).rejects.toMatchObject({ kind: 'invalid' });
      await expect(edit({ backgroundColour: 'red' })).rejects.toMatchObject({
        fields: { backgroundColour: expect.any(String) },
      });
      await expect(edit({ url: 'http://bet.example' })).rejects.toMatchObject({ kind: 'invalid' });
      await expect(editBookmaker(guestFrom('GB'), 'bet365', await form('bet365'))).rejects.toMatchObject({
        kind: 'unauthorised',
      });
      await expect(editBookmaker(viewer, 'nobody', await form('bet365'))).rejects.toMatchObject({ kind: 'missing' });
    }),
  );
});

describe('a help line', () => {
  const line = (more: Record<string, unknown> = {}) =>
    helpLineOrderSchema.parse({
      action: 'help-line.edit',
      reason: 'The service has moved',
      revision: '0',
      name: 'A service',
      url: 'https://help.example/',
      telephone: '0800 123',
      shown: 'true',
      ...more,
    });

  test(
    'is that of the country, or that of the default country where it has none or none is shown',
    undone(async () => {
      const { viewer } = await openStaff('ann-staff', Role.admin, worldNow);
      const fallback = await findHelpLine(defaultCountry.id);
      expect(fallback?.name).toBe('National Gambling Helpline');
      expect(await findHelpLine(countryId('NP'))).toEqual(fallback);
      await editHelpLine(viewer, 'NP', line());
      expect(await findHelpLine(countryId('NP'))).toMatchObject({ name: 'A service', telephone: '0800 123' });
      await editHelpLine(viewer, 'NP', line({ revision: '1', shown: 'false' }));
      expect(await findHelpLine(countryId('NP'))).toEqual(fallback);
    }),
  );

  test(
    'is refused when somebody changed it meanwhile, without a secure address, and hidden where all others lean on it',
    undone(async () => {
      const { viewer } = await openStaff('ann-staff', Role.admin, worldNow);
      await editHelpLine(viewer, 'NP', line());
      await expect(editHelpLine(viewer, 'NP', line())).rejects.toMatchObject({ kind: 'conflict' });
      await expect(
        editHelpLine(viewer, 'NP', line({ revision: '1', url: 'http://help.example' })),
      ).rejects.toMatchObject({
        fields: { url: expect.any(String) },
      });
      await expect(editHelpLine(viewer, 'GB', line({ shown: 'false' }))).rejects.toMatchObject({
        fields: { shown: expect.any(String) },
      });
      await expect(editHelpLine(viewer, 'ZZ', line())).rejects.toMatchObject({ kind: 'missing' });
    }),
  );
});
