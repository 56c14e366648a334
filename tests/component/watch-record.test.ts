import { screen, waitFor } from '@testing-library/dom';
import { webcrypto } from 'node:crypto';
import { TextDecoder, TextEncoder } from 'node:util';
import type { LedgerKey } from '@/lib/record/schema';
import type * as Making from '../unit/record/ledger';
import type { LedgerMaker, Signer } from '../unit/record/ledger';

type Site = {
  ledger: LedgerMaker;
  index: number;
  keys: LedgerKey[];
  note?: string;
  unsigned?: boolean;
  status?: Record<string, number>;
};

const hour = 3_600_000;
const start = Date.parse('2026-03-10T12:00:00.000Z');
const asked: string[] = [];

let made: typeof Making;
let signer: Signer;
let thief: Signer;
let honest: LedgerMaker;
let forged: LedgerMaker;
let site: Site;

beforeAll(async () => {
  Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true });
  Object.assign(globalThis, { TextDecoder, TextEncoder });
  made = await import('../unit/record/ledger');
  [signer, thief] = [
    await made.importSigner(made.rfcJwk),
    await made.importSigner(made.otherJwk, '2026-03-11T00:00:00.000Z'),
  ];
  honest = await made.makeLedger(signer, { tips: 12, checkpointEvery: 3, counted: true });
  forged = await made.makeLedger(signer, { tips: 12, checkpointEvery: 3, counted: true, seed: 5 });
});

beforeEach(async () => {
  localStorage.clear();
  document.body.replaceChildren();
  asked.length = 0;
  site = { ledger: honest, index: 0, keys: [signer.key] };
  global.fetch = jest.fn(async (address: string | URL | Request) => {
    const { pathname, searchParams } = new URL(String(address), 'http://localhost');
    asked.push(pathname);
    const status = site.status?.[pathname] ?? 200;
    if (status === 0) throw new TypeError('no connection');
    const text = async () => {
      if (pathname === '/api/log/checkpoint') return site.note ?? site.ledger.notes[site.index] ?? '';
      if (pathname === '/api/log/keys')
        return JSON.stringify({ origin: made.origin, size: site.unsigned ? null : 1, keys: site.keys, vkeys: [] });
      return JSON.stringify(
        await site.ledger.proveConsistency(Number(searchParams.get('from')), Number(searchParams.get('to'))),
      );
    };
    return { ok: status === 200, status, text } as Response;
  });
});

async function visit(hours: number): Promise<void> {
  const { watchRecord } = await import('@/components/record/watch-record');
  await watchRecord(start + hours * hour);
}

const alarm = () => document.querySelector('[data-record-alarm]');
const kept = () =>
  JSON.parse(localStorage.getItem('tipledger:record-seen') ?? 'null') as { seen: { note: string } } | null;

describe('a returning browser', () => {
  it('keeps the newest checkpoint silently, from visit to visit, and asks at most once an hour', async () => {
    await visit(0);
    expect(kept()?.seen.note).toBe(honest.notes[0]);
    expect(asked).toEqual(['/api/log/keys', '/api/log/checkpoint', '/api/log/keys']);
    await visit(0.9);
    expect(asked).toHaveLength(3);
    site.index = 2;
    await visit(1.1);
    expect(asked.slice(3)).toEqual(['/api/log/checkpoint', '/api/ledger/consistency']);
    expect(kept()?.seen.note).toBe(honest.notes[2]);
    await visit(2.2);
    expect(asked.slice(5)).toEqual(['/api/log/checkpoint']);
    expect(alarm()).toBeNull();
  });

  it('does not ask a log that has signed nothing for its checkpoint, and looks again an hour later', async () => {
    site.unsigned = true;
    await visit(0);
    expect(asked).toEqual(['/api/log/keys']);
    await visit(0.5);
    expect(asked).toHaveLength(1);
    site.unsigned = false;
    await visit(1.5);
    expect(kept()?.seen.note).toBe(honest.notes[0]);
    expect(alarm()).toBeNull();
  });

  it('keeps the newer one when an older is shown that it begins with', async () => {
    site.index = 3;
    await visit(0);
    site.index = 1;
    await visit(2);
    expect(alarm()).toBeNull();
    expect(kept()?.seen.note).toBe(honest.notes[3]);
  });

  it.each<[string, () => void | Promise<void>, string]>([
    [
      'a record that was rewritten',
      () => void Object.assign(site, { ledger: forged, index: 2 }),
      'does not begin with the',
    ],
    [
      'another record of the same size',
      async () =>
        void (site.note = await made.noteOf(
          { sequence: honest.checkpoints[1]!.sequence, root: 'ab'.repeat(32) },
          signer,
        )),
      'state two different records',
    ],
    [
      'an older record that is not its beginning',
      () => void Object.assign(site, { ledger: forged, index: 0 }),
      'fewer than the',
    ],
    [
      'a newer one that the site does not prove',
      () => void Object.assign(site, { index: 2, status: { '/api/ledger/consistency': 404 } }),
      'does not begin with the',
    ],
    [
      'a false signature',
      () => void (site.note = honest.notes[2]!.replace(/\n(\d+)\n/, '\n9$1\n')),
      'has a false signature',
    ],
    [
      'another name of the log',
      async () => void (site.note = await made.noteOf(honest.checkpoints[2]!, signer, 'another.example/log')),
      'is called another.example/log now',
    ],
    [
      'another key that none before has signed',
      async () =>
        void Object.assign(site, { note: await made.noteOf(honest.checkpoints[2]!, thief), keys: [thief.key] }),
      'which no key that signed it before has signed',
    ],
    [
      'no checkpoint any more',
      () => void (site.status = { '/api/log/checkpoint': 404 }),
      'does not show a signed checkpoint',
    ],
  ])('says loudly and lastingly when it is shown %s', async (_, change, sentence) => {
    site.index = 1;
    await visit(0);
    await change();
    await visit(2);
    expect(screen.getByRole('alert').textContent).toContain('The record is not the one that this browser saw before');
    expect(screen.getByRole('alert').textContent).toContain(sentence);
    const saved = decodeURIComponent(screen.getByText('Save the one seen before').getAttribute('href') ?? '');
    expect(saved).toBe(`data:text/plain;charset=utf-8,${honest.notes[1]}`);
    expect(screen.getByText('Save the one shown now').getAttribute('download')).toBe('checkpoint-shown-now.txt');
    document.body.replaceChildren();
    Object.assign(site, { ledger: honest, index: 2, keys: [signer.key], note: undefined, status: undefined });
    await visit(2.1);
    expect(screen.getByRole('alert').textContent).toContain(sentence);
    screen.getByText('Hide on this page').click();
    expect(alarm()).toBeNull();
    await visit(9);
    expect(alarm()).not.toBeNull();
    expect(kept()?.seen.note).toBe(honest.notes[1]);
  });

  it('begins anew when told to', async () => {
    await visit(0);
    Object.assign(site, { ledger: forged, index: 2 });
    await visit(2);
    screen.getByText('Forget both and start again').click();
    await waitFor(() => expect(kept()).toBeNull());
    await visit(4);
    expect(alarm()).toBeNull();
    expect(kept()?.seen.note).toBe(forged.notes[2]);
  });

  it('follows a new key that the old one signed', async () => {
    const { signRotation } = await import('@/lib/record/rules/rotation');
    await visit(0);
    const fresh = await signRotation(thief.key, signer);
    Object.assign(site, {
      note: await made.noteOf(honest.checkpoints[2]!, thief),
      keys: [{ ...signer.key, validUntil: fresh.validFrom }, fresh],
    });
    await visit(2);
    expect(alarm()).toBeNull();
    site.note = await made.noteOf(honest.checkpoints[3]!, thief);
    await visit(4);
    expect(alarm()).toBeNull();
    expect(kept()?.seen.note).toBe(site.note);
  });

  it.each([0, 429, 500, 503])(
    'finds nothing out when the site answers %d, and looks again at the next visit',
    async (status) => {
      await visit(0);
      site.index = 1;
      for (const path of ['/api/log/checkpoint', '/api/ledger/consistency']) {
        site.status = { [path]: status };
        await visit(2);
        expect(alarm()).toBeNull();
      }
      site.status = {};
      await visit(2.1);
      expect(kept()?.seen.note).toBe(honest.notes[1]);
    },
  );

  it('keeps nothing of a site that has signed nothing yet', async () => {
    site.status = { '/api/log/checkpoint': 404 };
    await visit(0);
    expect([kept(), alarm()]).toEqual([null, null]);
  });
});
