import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { webcrypto } from 'node:crypto';
import { TextDecoder, TextEncoder } from 'node:util';
import { LedgerVerifier } from '@/components/record/ledger-verifier';
import type { Checkpoint, LedgerEntry } from '@/lib/record/schema';
import { ledgerFormat } from '@/lib/record/schema/entries';
import type { LedgerMaker, Signer } from '../unit/record/ledger';

type Answers = (address: string) => unknown;

let signer: Signer;
let ledger: LedgerMaker;
const asked: string[] = [];

/** Answers fetches with JSON; an Error stands for no connection, a number for a status. */
function answerWith(answers: Answers): void {
  global.fetch = jest.fn(async (address: string | URL | Request, init?: RequestInit) => {
    asked.push(String(address));
    const answer = await answers(String(address));
    init?.signal?.throwIfAborted();
    if (answer instanceof Error) throw answer;
    const status = typeof answer === 'number' ? answer : 200;
    const text = JSON.stringify(answer);
    return {
      ok: status === 200,
      status,
      text: async () => text,
      json: async () => JSON.parse(text) as unknown,
    } as Response;
  });
}

const pageAfter = (after: number, entries: readonly LedgerEntry[], size = 20) => {
  const rest = entries.filter(({ sequence }) => sequence > after);
  return { items: rest.slice(0, size), next: rest.length > size ? (rest[size - 1]?.sequence ?? null) : null };
};

const site =
  (entries: readonly LedgerEntry[], checkpoints: readonly Checkpoint[]): Answers =>
  (address) =>
    address.endsWith('/checkpoint')
      ? { format: ledgerFormat, keys: [signer.key], checkpoints }
      : pageAfter(Number(/after=(\d+)/.exec(address)?.[1]), entries);

async function tipAnswer(tip: string, of = ledger, by = signer, place = -1) {
  const checkpoint = of.checkpoints.at(place) ?? null;
  const entries = of.entries.filter((entry) => 'tip' in entry && entry.tip === tip);
  const size = checkpoint?.sequence ?? 0;
  return {
    format: ledgerFormat,
    tip,
    keys: [by.key],
    checkpoint,
    entries: await Promise.all(
      entries.map(async (entry) => ({
        entry,
        proof: entry.sequence <= size ? await of.prove(entry.sequence, size) : null,
      })),
    ),
  };
}

beforeAll(async () => {
  Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true });
  Object.assign(globalThis, { TextDecoder, TextEncoder });
  const { importSigner, makeLedger, rfcJwk } = await import('../unit/record/ledger');
  signer = await importSigner(rfcJwk);
  ledger = await makeLedger(signer, { tips: 30, checkpointEvery: 7 });
});

beforeEach(() => {
  asked.length = 0;
  localStorage.clear();
});

const verdict = () => screen.findByText(/^(Verified|Not verified|The record could not)/, {}, { timeout: 10_000 });

async function press(name: RegExp): Promise<void> {
  await act(async () => void fireEvent.click(screen.getByRole('button', { name })));
}

describe('the verifier of the whole ledger', () => {
  const show = () => render(<LedgerVerifier tip={null} total={ledger.entries.length} />);

  it('asks for nothing before its button is pressed', () => {
    answerWith(site([], []));
    show();
    expect(asked).toEqual([]);
  });

  it('reads every page, says that all holds and what was checked', async () => {
    answerWith(site(ledger.entries, ledger.checkpoints));
    show();
    await press(/^Verify the whole record now$/);
    expect(await verdict()).toHaveTextContent(
      `Verified: ${ledger.entries.length} entries, none changed, missing or out of order.`,
    );
    expect(screen.getByRole('status')).toHaveTextContent(signer.keyId);
    expect(asked).toEqual([
      '/api/ledger/checkpoint',
      ...Array.from(
        { length: Math.ceil(ledger.entries.length / 20) },
        (_, page) => `/api/ledger/entries?after=${20 * page}&limit=1000`,
      ),
    ]);
    expect(screen.getByRole('button', { name: 'Verify again' })).toBeEnabled();
  });

  it('names the entry that was altered', async () => {
    answerWith(
      site(
        ledger.entries.map((entry) => (entry.sequence === 12 ? { ...entry, at: '2026-03-01T08:00:00.001Z' } : entry)),
        ledger.checkpoints,
      ),
    );
    show();
    await press(/^Verify/);
    expect(await verdict()).toHaveTextContent('Not verified. Entry 12 does not have the hash of its content');
  });

  it('finds that the end is missing', async () => {
    answerWith(site(ledger.entries.slice(0, 30), ledger.checkpoints));
    show();
    await press(/^Verify/);
    expect(await verdict()).toHaveTextContent('Not verified. The export ends with entry 30');
  });

  it.each([
    [
      'there is no connection',
      new TypeError('Failed to fetch'),
      'The site cannot be reached. Check your connection, then verify again.',
    ],
    ['the site refuses', 503, 'with the status 503. Wait a minute, then verify again.'],
  ])('says what to do when %s, and can be tried again', async (_, answer, sentence) => {
    answerWith(() => answer);
    show();
    await press(/^Verify/);
    expect(await verdict()).toHaveTextContent(sentence);
    answerWith(site(ledger.entries, ledger.checkpoints));
    await press(/^Verify again$/);
    expect(await screen.findByText(/^Verified/)).toBeInTheDocument();
  });

  it('shows how far it is and stops when it is cancelled', async () => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (release = resolve));
    const answers = site(ledger.entries, ledger.checkpoints);
    answerWith(async (address) => {
      if (address.includes('after=20')) await waiting;
      return answers(address);
    });
    show();
    await press(/^Verify/);
    const bar = screen.getByRole('progressbar', { name: new RegExp(`of ${ledger.entries.length} checked`) });
    expect(bar).toHaveAttribute('max', String(ledger.entries.length));
    await waitFor(() => expect(asked.some((address) => address.includes('after=20'))).toBe(true));
    await press(/^Cancel$/);
    await act(async () => release());
    expect(screen.getByRole('status')).toHaveTextContent('Cancelled before it finished: not verified.');
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(asked.some((address) => address.includes('after=40'))).toBe(false);
  });

  it('stops when the page is left', async () => {
    let signal: AbortSignal | null | undefined;
    global.fetch = jest.fn((_, init?: RequestInit) => {
      signal = init?.signal;
      return new Promise<Response>(() => undefined);
    });
    const { unmount } = show();
    await press(/^Verify/);
    await waitFor(() => expect(signal?.aborted).toBe(false));
    unmount();
    expect(signal?.aborted).toBe(true);
  });
});

describe('the verifier of one tip', () => {
  const show = () => render(<LedgerVerifier tip="tip-3" total={3} />);

  it('follows its entries up to the signed checkpoint', async () => {
    const answer = await tipAnswer('tip-3');
    answerWith(() => answer);
    show();
    await press(/^Verify this tip now$/);
    expect(await verdict()).toHaveTextContent(`Verified: ${answer.entries.length} entries of the tip tip-3`);
    expect(screen.getByRole('status')).toHaveTextContent(
      `under the checkpoint at entry ${answer.checkpoint?.sequence}`,
    );
    expect(asked).toEqual(['/api/ledger/tip/tip-3']);
  });

  it('takes neither another tip, nor a proof that leads elsewhere, nor an answer of another shape', async () => {
    const [answer, other] = [await tipAnswer('tip-3'), await tipAnswer('tip-4')];
    const forged = {
      ...answer,
      entries: answer.entries.map(({ entry }) => ({
        entry,
        proof: { sequence: entry.sequence, size: answer.checkpoint?.sequence ?? 0, path: [] },
      })),
    };
    for (const [wrong, sentence] of [
      [other, 'does not answer with the entries of this tip'],
      [forged, 'is not part of the ledger'],
      [{}, 'does not answer with the entries of this tip'],
    ] as const) {
      answerWith(() => wrong);
      const { unmount } = show();
      await press(/^Verify/);
      expect(await verdict()).toHaveTextContent(sentence);
      unmount();
    }
  });
});

describe('what this browser kept from an earlier visit', () => {
  let honest: LedgerMaker;
  let forged: LedgerMaker;
  let stolen: LedgerMaker;
  let thief: Signer;

  beforeAll(async () => {
    const { importSigner, makeLedger, otherJwk } = await import('../unit/record/ledger');
    thief = await importSigner(otherJwk);
    const size = { tips: 12, checkpointEvery: 3, counted: true };
    [honest, forged, stolen] = [
      await makeLedger(signer, size),
      await makeLedger(signer, { ...size, seed: 5 }),
      await makeLedger(thief, { ...size, seed: 5 }),
    ];
  });

  const keep = (note: string | undefined) =>
    localStorage.setItem(
      'tipledger:record-seen',
      JSON.stringify({ seen: { note, keys: [signer.key] }, lookedAt: 0, alarm: null }),
    );

  const serveTip = async (of: LedgerMaker, by = signer, place = -1) => {
    const answer = await tipAnswer('tip-3', of, by, place);
    answerWith((address) => {
      const [, from, to] = /from=(\d+)&to=(\d+)/.exec(address) ?? [];
      return to === undefined ? answer : of.proveConsistency(Number(from), Number(to));
    });
    render(<LedgerVerifier tip="tip-3" total={3} showsProof />);
    await press(/^Verify/);
  };

  it('is compared with the checkpoint of a tip, whose proof is then shown', async () => {
    keep(honest.notes[0]);
    await serveTip(honest);
    expect(await verdict()).toHaveTextContent(/^Verified/);
    expect(screen.getByRole('status')).toHaveTextContent(
      /It agrees with the checkpoint at entry \d+ that this browser keeps/,
    );
    expect(screen.getByRole('link', { name: 'Download all of this tip' })).toBeInTheDocument();
  });

  it('finds a tip under another record, signed by the same key', async () => {
    keep(honest.notes[0]);
    await serveTip(forged);
    expect(await verdict()).toHaveTextContent(
      /^Not verified. The record of \d+ entries that is shown now does not begin/,
    );
    expect(screen.queryByRole('link', { name: 'Download all of this tip' })).toBeNull();
  });

  it('finds a tip under a record that ends before what was seen', async () => {
    keep(forged.notes.at(-1));
    await serveTip(honest, signer, 0);
    expect(await verdict()).toHaveTextContent(/^Not verified. The record shows \d+ entries now, fewer than the \d+/);
  });

  it('finds a tip under a key that no known one has signed', async () => {
    keep(honest.notes[0]);
    await serveTip(stolen, thief);
    expect(await verdict()).toHaveTextContent(/which no key that signed it before has signed/);
  });

  it('finds a whole record that is another than the one that was seen', async () => {
    keep(honest.notes[0]);
    answerWith(site(forged.entries, forged.checkpoints));
    render(<LedgerVerifier tip={null} total={forged.entries.length} />);
    await press(/^Verify/);
    expect(await verdict()).toHaveTextContent(/^Not verified/);
    answerWith(site(honest.entries, honest.checkpoints));
    await press(/^Verify again/);
    expect(await screen.findByText(/^Verified/)).toBeInTheDocument();
    expect(screen.getByRole('status')).toHaveTextContent('It agrees with the checkpoint that was kept.');
  });
});
