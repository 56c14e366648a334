import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { guest } from '@/lib/http/viewer';
import { cardVersion, tipCard } from '@/lib/pages/share-cards';
import { drawable, drawCard } from '@/lib/pages/share-image';
import type { Call } from '@/lib/api/handle';
import { createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { getTip } from '@/lib/tips/queries';
import { newAddress } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { offer, openShop } from '../support/members';
import { publishTip } from '../support/moments';
import { describeCall } from '../support/request';
import { worldNow } from '../support/world';

// The renderer comes as a module that Jest cannot load; tests/e2e/live.test.ts looks at the real picture. Here is what it is given to draw.
jest.mock('next/og', () => ({
  ImageResponse: class extends Response {
    constructor(element: ReactElement, { width, height }: { width: number; height: number }) {
      super(`${width}x${height} ${renderToStaticMarkup(element)}`);
    }
  },
}));

onTestDatabase();

let shop: Awaited<ReturnType<typeof openShop>>;
const tips: Record<'open' | 'hidden', string> = { open: '', hidden: '' };

beforeAll(async () => {
  standAt(worldNow);
  shop = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const leg = await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365');
  for (const kind of ['open', 'hidden'] as const) {
    tips[kind] = (
      await publishTip(
        shop.owner,
        shop.reference,
        { idempotencyKey: kind, legs: [leg], stakeHundredths: 100, hidden: kind === 'hidden' },
        worldNow,
      )
    ).reference;
  }
});

const versionOf = async (tip: string) => cardVersion(tipCard(await getTip(guest(), shop.reference, tip, worldNow)));

async function draw(
  call: Call,
  params: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const response = await call(new Request('http://localhost/api/share', { method }), {
    params: Promise.resolve(params),
  });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

const packaged = 'node_modules/next/dist/compiled/@vercel/og';

/** The characters that a TrueType font has, by its table cmap of format 4. */
function charactersOf(font: Buffer): Set<string> {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  const record = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap') ?? 0;
  const cmap = font.readUInt32BE(record + 8);
  const at = cmap + font.readUInt32BE(cmap + 8);
  if (font.readUInt16BE(at) !== 4) throw new Error('The font lists its characters in another way.');
  const size = font.readUInt16BE(at + 6);
  const found = new Set<string>();
  for (let place = 0; place < size; place += 2) {
    const last = font.readUInt16BE(at + 14 + place);
    const first = font.readUInt16BE(at + 16 + size + place);
    const delta = font.readUInt16BE(at + 16 + 2 * size + place);
    const indirect = at + 16 + 3 * size + place;
    const offset = font.readUInt16BE(indirect);
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const glyph = offset === 0 ? code + delta : font.readUInt16BE(indirect + offset + 2 * (code - first));
      if (glyph % 0x10000 !== 0) found.add(String.fromCharCode(code));
    }
  }
  return found;
}

describe('what a picture says', () => {
  // All that is left of the characters of the planes in which letters stand.
  const drawn = new Set(
    Array.from({ length: 0x20000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .flatMap((code) => [...drawable(`x${String.fromCodePoint(code)}x`)]),
  );

  test('is of characters that the packaged font has, whatever was written', () => {
    const has = charactersOf(readFileSync(`${packaged}/Geist-Regular.ttf`));
    expect(has.size).toBeGreaterThan(500);
    expect([...drawn].filter((character) => !has.has(character))).toEqual([]);
    const latin = [...has].filter((letter) => /^[ -~\p{Script=Latin}]$/u.test(letter) && letter < '\u0250');
    expect(latin.filter((letter) => !drawn.has(letter))).toEqual([]);
  });

  test.each([
    ['Aḥmad Ṣāliḥ', 'Ahmad Sālih'],
    ['Ǎ Ə ẞ', 'Ǎ Ə ẞ'],
    ['Stoke\u2010on\u2011Trent', 'Stoke-on-Trent'],
    ['Łódź – żółw', 'Łódź – żółw'],
    ['Bo\u0308rse n\u0325', 'Börse n'],
    ['日本代表 1 ½ ™ ©', '1 ½ TM ©'],
  ])('of %s is %s', (given, said) => {
    expect(drawable(given)).toBe(said);
  });

  // In a process of its own, as Jest cannot load the renderer.
  test('is drawn without a look at the network', async () => {
    const text = [...drawn].join('');
    const program = `
      const own = fetch;
      globalThis.fetch = (address) => {
        // A program that the renderer carries in itself.
        if (String(address).startsWith('data:')) return own(address);
        console.log('asked for ' + address);
        process.exit(1);
      };
      const { ImageResponse } = await import(process.argv[1]);
      const style = { display: 'flex', flexWrap: 'wrap', width: '100%' };
      const element = { type: 'div', props: { style, children: process.argv[2] } };
      const bytes = await new ImageResponse(element, { width: 600, height: 400 }).arrayBuffer();
      console.log(bytes.byteLength > 1000);`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      program,
      `${process.cwd()}/${packaged}/index.node.js`,
      text,
    ]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('true\n');
  }, 30_000);
});

describeCall('/share/{reference}/{tip}/{version}', 'GET', (ask, call) => {
  test('draws the tip as a picture of 1200 by 630 that never changes at its address', async () => {
    const { status, headers, bytes } = await draw(call, {
      reference: shop.reference,
      tip: tips.open,
      version: await versionOf(tips.open),
    });
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'image/png',
      'public, max-age=31536000, immutable',
    ]);
    expect(bytes.toString()).toMatch(
      /^1200x630 .*Athletic.*Match result, Athletic v Wanderers.*2\.50.*1\.00 u.*Upcoming.*Ann Football/,
    );
  });

  test('ends a text that is too long after a whole word', async () => {
    const view = await getTip(guest(), shop.reference, tips.open, worldNow);
    const text = Buffer.from(
      await drawCard(
        tipCard({
          ...view,
          portfolioName: `Ann ${'Rovers '.repeat(20)}`,
          legs: view.legs.map((leg) => ({
            ...leg,
            fixtureName: 'Wanderers '.repeat(30),
            selectionName: 'x'.repeat(200),
          })),
        }),
      ),
    ).toString();
    expect(text).toMatch(/>x{65}…</);
    expect(text).toMatch(/>Match result, (Wanderers )+Wanderers…</);
    expect(text).toMatch(/>Ann (Rovers )+Rovers…</);
  });

  test('leads from every other version to the right one, draws nothing for it, and keeps nothing for long', async () => {
    const right = await versionOf(tips.open);
    for (const version of ['000000000000', 'ffffffffffff', right.replace(/./, (sign) => (sign === '0' ? '1' : '0'))]) {
      const { status, headers, bytes } = await draw(call, { reference: shop.reference, tip: tips.open, version });
      expect([status, headers.get('location'), headers.get('cache-control'), bytes.length]).toEqual([
        302,
        `/api/share/${shop.reference}/${tips.open}/${right}`,
        'public, max-age=60',
        0,
      ]);
    }
  });

  test('is limited by who asks, whatever address is asked for', async () => {
    const from = newAddress();
    const ask150 = (network: string) =>
      Promise.all(
        Array.from({ length: 150 }, (_, count) => {
          const version = count.toString(16).padStart(12, '0');
          const address = `http://localhost/api/share/${shop.reference}/${tips.open}/${version}?${count}`;
          return call(new Request(address, { headers: { 'x-tipledger-address': network } }), {
            params: Promise.resolve({ reference: shop.reference, tip: tips.open, version }),
          });
        }),
      );
    expect((await ask150(from)).filter(({ status }) => status === 429)).toHaveLength(30);
    expect((await ask150(newAddress())).filter(({ status }) => status === 429)).toHaveLength(30);
  });

  test('draws a hidden tip as sealed, the same whatever it holds', async () => {
    const leg = await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'away', 'bet365');
    const other = (
      await publishTip(
        shop.owner,
        shop.reference,
        { idempotencyKey: 'other', legs: [leg], stakeHundredths: 100, hidden: true },
        worldNow,
      )
    ).reference;
    const [one, two] = [
      await draw(call, { reference: shop.reference, tip: tips.hidden, version: await versionOf(tips.hidden) }),
      await draw(call, { reference: shop.reference, tip: other, version: await versionOf(other) }),
    ];
    expect([one.status, one.bytes.equals(two.bytes), await versionOf(other)]).toEqual([
      200,
      true,
      await versionOf(tips.hidden),
    ]);
    expect(one.bytes.toString()).toContain('A hidden tip');
    expect(one.bytes.toString()).not.toMatch(/Athletic|Wanderers|2\.50/);
    expect(await versionOf(tips.open)).not.toBe(await versionOf(tips.hidden));
  });

  test('has no picture of what there is not, or is not for everybody', async () => {
    const own = await createPortfolio(
      shop.owner,
      { name: 'Ann alone', visibility: PortfolioVisibility.personal },
      worldNow,
    );
    const version = '0123456789ab';
    for (const params of [
      { reference: shop.reference, tip: 'abcdefghjk', version },
      { reference: 'nobody', tip: tips.open, version },
      { reference: own.reference, tip: tips.open, version },
    ]) {
      expect((await ask({ params })).status).toBe(404);
    }
  });

  test.each(['', 'x', '0123456789AB', '../../etc/pa', '0123456789abc'])('refuses the version %j', async (version) => {
    expect((await ask({ params: { reference: shop.reference, tip: tips.open, version } })).status).toBe(400);
  });

  test('answers a request for its head with its length alone', async () => {
    const { status, headers, bytes } = await draw(
      call,
      { reference: shop.reference, tip: tips.open, version: await versionOf(tips.open) },
      'HEAD',
    );
    expect([status, Number(headers.get('content-length')) > 500, bytes.length]).toEqual([200, true, 0]);
  });
});
