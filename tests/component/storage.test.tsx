import * as jotai from 'jotai';
import { slipLeg } from '../support/slip-leg';
import type * as BetSlip from '@/components/state/bet-slip';
import type * as Drafts from '@/components/state/drafts';
import type * as Tiers from '@/components/state/storage';
import type * as TipDrafts from '@/components/state/tip-draft';
import type { Slip } from '@/lib/bets/rules';

const rows = new Map<string, unknown>();
let database: 'works' | 'refuses' | 'full' | 'is silent' | 'is missing' | 'is closed' = 'works';
// A connection that the browser has closed stays closed: the store has to be opened anew.
let connections = 0;

const copy = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

const answer = <T,>(value: () => T, writes: boolean): Promise<T> => {
  if (database === 'is missing') throw new TypeError("Cannot read properties of undefined (reading 'open')");
  return answerOf(value, writes);
};

const answerOf = async <T,>(value: () => T, writes: boolean): Promise<T> => {
  if (database === 'is closed') throw new DOMException('The database connection is closing.', 'InvalidStateError');
  if (database === 'is silent') return new Promise<T>(() => undefined);
  if (database === 'refuses' || (writes && database === 'full')) throw new DOMException('No.', 'QuotaExceededError');
  return value();
};

jest.mock('idb-keyval', () => ({
  createStore: () => {
    connections += 1;
    return () => undefined;
  },
  get: (key: string) => answer(() => copy(rows.get(key)), false),
  set: (key: string, value: unknown) => answer(() => void rows.set(key, copy(value)), true),
  del: (key: string) => answer(() => void rows.delete(key), false),
}));

/** What is loaded beside the storage of a visit that begins. */
function ofVisit<T>(load: (storage: typeof Tiers) => T): T {
  let loaded: T | undefined;
  // Two of these in one page would warn of each other.
  jest.doMock('jotai', () => jotai);
  jest.isolateModules(() => (loaded = load(jest.requireActual<typeof Tiers>('@/components/state/storage'))));
  return loaded as T;
}

/** The storage as a visit begins with it. */
const visit = () => ofVisit((storage) => storage);

beforeEach(() => {
  database = 'works';
  connections = 0;
  rows.clear();
  localStorage.clear();
});
afterEach(() => jest.restoreAllMocks());

const lockLocalStorage = () => {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
    jest.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('No.', 'SecurityError');
    });
  }
};

describe('the storage tiers', () => {
  it('keep a value in the database and nothing of it elsewhere', async () => {
    localStorage.setItem('tipledger:auth', '"old"');
    const { writeStored, readStored } = visit();
    await writeStored('auth', { token: 'new' });
    expect(rows.get('auth')).toEqual({ token: 'new' });
    expect(localStorage).toHaveLength(0);
    expect(await readStored('auth')).toEqual({ token: 'new' });
  });

  it('give what a page left behind before what the database had, until something is kept', async () => {
    const { leaveBehind, readStored, writeStored } = visit();
    await writeStored('slip', ['one']);
    leaveBehind('slip', ['one', 'two']);
    expect(await readStored('slip')).toEqual(['one', 'two']);
    expect(await visit().readStored('slip')).toEqual(['one', 'two']);
    await writeStored('slip', ['three']);
    expect(await readStored('slip')).toEqual(['three']);
    expect(localStorage).toHaveLength(0);
  });

  it('lose no page where nothing can be left behind', async () => {
    lockLocalStorage();
    const { leaveBehind, readStored, writeStored } = visit();
    await writeStored('slip', ['one']);
    leaveBehind('slip', ['one', 'two']);
    expect(await readStored('slip')).toEqual(['one']);
  });

  it('fall to local storage when the database refuses, and still know the value at the next visit', async () => {
    database = 'refuses';
    await visit().writeStored('auth', { token: 'a' });
    expect(rows.size).toBe(0);
    expect(await visit().readStored('auth')).toEqual({ token: 'a' });
  });

  it('give no older value when the database took the last one and is full now', async () => {
    await visit().writeStored('auth', 'old');
    database = 'full';
    await visit().writeStored('auth', 'new');
    database = 'works';
    expect(await visit().readStored('auth')).toBe('new');
  });

  it('fall to memory when nothing else is there, which the next visit does not know', async () => {
    database = 'refuses';
    lockLocalStorage();
    const { writeStored, readStored, removeStored } = visit();
    await writeStored('auth', 'a');
    expect(await readStored('auth')).toBe('a');
    expect(await visit().readStored('auth')).toBeUndefined();
    await removeStored('auth');
    expect(await readStored('auth')).toBeUndefined();
  });

  it('fall to local storage at once where there is no database at all, and hear nothing of it later', async () => {
    database = 'is missing';
    jest.useFakeTimers();
    const { writeStored, readStored } = visit();
    await writeStored('auth', 'a');
    expect([await readStored('auth'), localStorage.getItem('tipledger:auth'), jest.getTimerCount()]).toEqual([
      'a',
      '"a"',
      0,
    ]);
    jest.useRealTimers();
  });

  it('wait two seconds for a database that keeps silent, and then not again', async () => {
    database = 'is silent';
    const { writeStored, readStored } = visit();
    jest.useFakeTimers();
    const written = writeStored('auth', 'a');
    await jest.advanceTimersByTimeAsync(2000);
    await written;
    expect(await readStored('auth')).toBe('a');
    jest.useRealTimers();
  });

  it('count as nothing what cannot be read as it was written', async () => {
    localStorage.setItem('tipledger:auth', '{broken');
    expect(await visit().readStored('auth')).toBeUndefined();
  });

  it('take a value out of every tier', async () => {
    localStorage.setItem('tipledger:auth', '"old"');
    rows.set('auth', 'new');
    const { removeStored, readStored } = visit();
    await removeStored('auth');
    expect(await readStored('auth')).toBeUndefined();
  });

  it('are not sure that a value has gone while a database that has answered cannot be asked, and open it anew once', async () => {
    const { readSurely, writeStored } = visit();
    await writeStored('auth', 'a');
    database = 'is closed';
    expect(await readSurely('auth')).toEqual({ value: 'a', isSure: false, isKnown: true });
    expect(await readSurely('slip')).toEqual({ value: undefined, isSure: false, isKnown: false });
    expect(connections).toBe(3);
    database = 'works';
    expect(await readSurely('auth')).toEqual({ value: 'a', isSure: true, isKnown: true });
    expect(await readSurely('none')).toEqual({ value: undefined, isSure: true, isKnown: true });
  });

  it('open no other connection where the disk is full, and one where two find it closed at once', async () => {
    const { readStored, writeStored } = visit();
    await writeStored('auth', 'a');
    database = 'full';
    await writeStored('auth', 'b');
    expect(connections).toBe(1);
    database = 'is closed';
    await Promise.all([readStored('user'), readStored('slip')]);
    expect(connections).toBe(2);
  });

  it('are sure where the database has never answered: what was kept since is elsewhere', async () => {
    database = 'refuses';
    const { readSurely, writeStored, removeStored } = visit();
    await writeStored('auth', 'a');
    await removeStored('auth');
    expect(await readSurely('auth')).toEqual({ value: undefined, isSure: true, isKnown: true });
  });

  it('give nothing that the database still has of before, after it could not be told of a change', async () => {
    const { readStored, removeStored, writeStored } = visit();
    await writeStored('auth', 'old');
    database = 'is closed';
    await writeStored('auth', 'new');
    database = 'works';
    expect([await readStored('auth'), await visit().readStored('auth'), rows.get('auth')]).toEqual([
      'new',
      'new',
      'old',
    ]);
    database = 'is closed';
    await removeStored('auth');
    database = 'works';
    expect([await readStored('auth'), await visit().readStored('auth')]).toEqual([undefined, undefined]);
    await writeStored('auth', 'newer');
    expect([await visit().readStored('auth'), localStorage.length]).toEqual(['newer', 0]);
  });

  it('tell who watches a key of its changes, until they stop', async () => {
    const { watchStored, writeStored, removeStored } = visit();
    const heard: unknown[] = [];
    const stop = watchStored('auth', (value) => heard.push(value));
    await writeStored('auth', 'a');
    await writeStored('user', 'b');
    await removeStored('auth');
    stop();
    await writeStored('auth', 'c');
    expect(heard).toEqual(['a', undefined]);
  });
});

describe('a bet slip that cannot be read', () => {
  it('is not taken for an empty one, which the next edit would keep', async () => {
    const { editSlip, freshSlip, slipNow } = await import('@/components/state/bet-slip');
    const { withLeg } = await import('@/lib/bets/rules');
    await editSlip((slip) => withLeg(slip, slipLeg(1), 'one'));
    database = 'is closed';
    await editSlip((slip) => withLeg(slip, slipLeg(2), 'two'));
    expect((await freshSlip()).legs).toHaveLength(2);
    expect(slipNow().legs.map(({ selectionId }) => selectionId)).toEqual([1, 2]);
  });

  it('is not taken for an empty one either when it was never read: the edit waits for the next', async () => {
    const { emptySlip, withLeg } = await import('@/lib/bets/rules');
    await visit().writeStored('bet-slip', withLeg(emptySlip, slipLeg(1), 'one'));
    const { editSlip, readStored, slipNow } = ofVisit((storage) => ({
      ...storage,
      ...jest.requireActual<typeof BetSlip>('@/components/state/bet-slip'),
    }));
    await readStored('auth');
    database = 'is closed';
    await editSlip((slip) => withLeg(slip, slipLeg(2), 'two'));
    window.dispatchEvent(new Event('pagehide'));
    const shown = () => slipNow().legs.map(({ selectionId }) => selectionId);
    expect([shown(), localStorage.length]).toEqual([[2], 0]);
    database = 'works';
    await editSlip((slip) => withLeg(slip, slipLeg(3), 'three'));
    expect(shown()).toEqual([1, 2, 3]);
    expect((rows.get('bet-slip') as Slip).legs).toHaveLength(3);
  });
});

describe('drafts that cannot be read', () => {
  it('are not written over when one of them is published', async () => {
    const { dropDraft, keepDraft, openDraft } = await import('@/components/state/drafts');
    const draft = (id: string) => ({ id, savedAt: '2026-03-10T12:00:00Z', values: {} });
    for (const id of ['one', 'two']) await keepDraft('ann', draft(id));
    database = 'is closed';
    await dropDraft('ann', 'none');
    database = 'works';
    await dropDraft('ann', 'two');
    expect((await openDraft('ann')).left).toMatchObject({ id: 'one' });
  });

  it('are not written over either when they were never read', async () => {
    const draft = { id: 'one', savedAt: '2026-03-10T12:00:00Z', values: {} };
    rows.set('drafts::ann', [draft]);
    const { keepDraft, readStored } = ofVisit((storage) => ({
      ...storage,
      ...jest.requireActual<typeof Drafts>('@/components/state/drafts'),
    }));
    await readStored('auth');
    database = 'is closed';
    await keepDraft('ann', { ...draft, id: 'two' });
    expect([rows.get('drafts::ann'), localStorage.length]).toEqual([[draft], 0]);
  });
});

describe('tips being written that cannot be read', () => {
  const form = { portfolioReference: 'ann', stake: '1', analysis: 'Why' };
  const written = (selectionId: number) => ({
    leg: slipLeg(selectionId),
    form: { ...form, eachWay: false, membersOnly: false, hidden: false, minPrice: '' },
  });

  it('are not written over by the one that is kept, whether they were read before or not', async () => {
    const load = () =>
      ofVisit((storage) => ({ ...storage, ...jest.requireActual<typeof TipDrafts>('@/components/state/tip-draft') }));
    const ids = () => (rows.get('tip-draft:') as { leg: { selectionId: number } }[]).map(({ leg }) => leg.selectionId);
    const first = await load();
    for (const id of [1, 2]) await first.keepDraft(written(id));
    database = 'is closed';
    await first.keepDraft(written(3));
    const isOnTwo = ({ leg }: TipDrafts.Draft) => leg.selectionId === 2;
    expect([ids(), await first.readDraft(isOnTwo)]).toEqual([[2, 1], expect.objectContaining(written(2))]);
    localStorage.clear();
    database = 'works';
    const second = await load();
    await second.readStored('auth');
    database = 'is closed';
    await second.keepDraft(written(3));
    expect([ids(), localStorage.length]).toEqual([[2, 1], 0]);
  });

  it('that were sent and not answered stay whatever is written since, in another tab too, and come back by no late answer', async () => {
    const { changeDraft, forgetDraft, keepDraft, noteSent, readDraft } = ofVisit(() =>
      jest.requireActual<typeof TipDrafts>('@/components/state/tip-draft'),
    );
    const of = (id: number) => readDraft(({ leg }) => leg.selectionId === id);
    const legs = [{ fixtureReference: 'f', selectionId: 1, bookmakerId: 1, oddsThousandths: 2000 }];
    const sent = { key: 'sent', portfolioReference: 'ann', tip: { legs, stakeHundredths: 100 } };
    await noteSent(written(1), sent);
    for (const id of [1, 2, 3, 4, 5, 6, 7]) await keepDraft(written(id));
    expect([await of(1), await of(2), await of(3)]).toMatchObject([{ unanswered: sent }, null, { unanswered: null }]);
    await changeDraft(1, { isOpen: false });
    await changeDraft(1, { unanswered: null });
    expect(await of(1)).toMatchObject({ isOpen: false, unanswered: null });
    await forgetDraft(1);
    await changeDraft(1, { unanswered: null });
    expect(await of(1)).toBeNull();
  });
});

describe('the local preferences', () => {
  it('have the defaults of the specification until they are read, take what is stored if it is of their kind, and keep what is written', async () => {
    const preferences = await import('@/components/state/preferences');
    const store = jotai.getDefaultStore();
    const all = () => ({
      portfolio: store.get(preferences.currentPortfolioAtom),
      version: store.get(preferences.lastKnownVersionAtom),
      signedUp: store.get(preferences.freeTipsSignedUpAtom),
      closed: store.get(preferences.freeTipsClosedAtom),
      level: store.get(preferences.levelStakesAtom),
      bestPrice: store.get(preferences.bestStartingPriceAtom),
      slip: store.get(preferences.addToBetSlipAtom),
      matrix: store.get(preferences.matrixAtom),
      days: store.get(preferences.addTipsDaysAtom),
      markets: store.get(preferences.showAllMarketsAtom),
      runners: store.get(preferences.horseRacingSortAtom),
      sports: store.get(preferences.favouriteSportsAtom),
      leagues: store.get(preferences.favouriteLeaguesAtom),
      alerts: store.get(preferences.alertsAppAtom),
    });
    const defaults = {
      portfolio: null,
      version: null,
      signedUp: false,
      closed: false,
      level: true,
      bestPrice: false,
      slip: false,
      matrix: false,
      days: 1,
      markets: false,
      runners: 'odds',
      sports: [],
      leagues: [],
      alerts: false,
    };
    expect(all()).toEqual(defaults);
    for (const [name, value] of Object.entries({
      'level-stakes': false,
      'add-tips-days': 0,
      'horse-racing-sort': 'speed',
      'favourite-sports': ['golf', 7],
      matrix: 'yes',
    }))
      rows.set(`preference:${name}`, value);
    await preferences.loadPreferences();
    expect(all()).toEqual({ ...defaults, level: false, sports: ['golf'] });
    await store.set(preferences.addTipsDaysAtom, 3);
    expect([store.get(preferences.addTipsDaysAtom), rows.get('preference:add-tips-days')]).toEqual([3, 3]);
    const { writeStored } = await import('@/components/state/storage');
    await writeStored('preference:add-tips-days', -2);
    expect(store.get(preferences.addTipsDaysAtom)).toBe(1);
  });
});

describe('what an address carries', () => {
  it('is kept: the affiliate code for its days, and the flag of the alerts app', async () => {
    const { keepAddressParameters, readAffiliateCode } = await import('@/components/state/affiliate');
    const { alertsAppAtom } = await import('@/components/state/preferences');
    const now = Date.parse('2026-03-10T12:00:00Z');
    await keepAddressParameters('?ref-a=An-n_42&alerts-app=1', 30, now);
    expect(rows.get('affiliate')).toEqual({ code: 'Ann42', expiresAt: '2026-04-09T12:00:00.000Z' });
    expect(jotai.getDefaultStore().get(alertsAppAtom)).toBe(true);
    await keepAddressParameters('?ref-a=--', 30, now);
    expect(await readAffiliateCode(now)).toBe('Ann42');
    expect(jotai.getDefaultStore().get(alertsAppAtom)).toBe(true);
    await keepAddressParameters('?alerts-app=yes', 30, now);
    expect(jotai.getDefaultStore().get(alertsAppAtom)).toBe(false);
    await keepAddressParameters('', 30, Date.parse('2026-04-09T12:00:00Z'));
    expect(rows.has('affiliate')).toBe(false);
  });
});
