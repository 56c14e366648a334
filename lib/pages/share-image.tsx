import { createHash } from 'node:crypto';
import { callAddress } from '@/lib/calls';
import { Queue } from '@/lib/platform/queue';
import { TaggedEntries } from '@/lib/platform/tagged-entries';
import { singleton } from '@/lib/platform/singleton';
import { type SharedTip, sharedTip } from '@/lib/tips/rules';
import type { TipView } from '@/lib/tips/schema';
import { defaultView } from './default-view';

/** The size of a picture that other sites show beside a link, in pixels. */
export const shareImageSize = { width: 1200, height: 630 } as const;

const ink = '#1c1a17';
const soft = '#6a6356';
const tones = { plain: ink, profit: '#1b6a3c', loss: '#a6262b' } as const;
// Another number for another look: what was kept at an address stays as it was.
const layout = 2;
// Two lines of each, in their own size.
const longestHeading = 66;
const longestText = 120;
// What leaves room for the start beside it.
const longestPortfolio = 44;
// Ours (0033): how many pictures a process keeps.
const mostKept = 60;

type Picture = { bytes: Promise<Uint8Array<ArrayBuffer>>; tags: string[] };

// Ours (0050): drawing takes the one thread, so pictures are drawn one after another, and few wait.
const drawing = () =>
  singleton('share-images', () => ({
    entries: new TaggedEntries<Picture>({ max: mostKept }),
    queue: new Queue({ atOnce: 1, waiting: 20 }),
  }));

/** Which state of a tip a picture shows: the same for as long as it says the same. */
export function shareVersion(tip: TipView): string {
  return createHash('sha256')
    .update(JSON.stringify([layout, sharedTip(tip, defaultView)]))
    .digest('hex')
    .slice(0, 12);
}

// The packaged font has Latin letters; for others the renderer would go and look on the network.
const plain = (text: string, longest: number) => {
  const latin =
    text
      .normalize('NFC')
      .replace(/[^\u0020-\u024f\u1e00-\u1eff\u2010-\u2026\u2212€]/gu, '')
      .trim() || 'Tipledger';
  // A word is not cut, unless it fills the line alone.
  return latin.length > longest
    ? `${latin
        .slice(0, longest)
        .replace(/[\s,·]+\S*$/u, '')
        .slice(0, longest - 1)}…`
    : latin;
};

/** Where the picture of a tip is, as it looks now. */
export function shareAddress(tip: TipView): string {
  const { portfolioReference: reference, reference: of } = tip;
  return callAddress('GET /share/{reference}/{tip}/{version}', {
    params: { reference, tip: of, version: shareVersion(tip) },
  });
}

/** The picture of a tip as PNG, by the view that it is given, which must be a guest's: whoever gets the link sees it. Failure 'unavailable' when too many wait to be drawn. */
export async function drawTip(tip: TipView): Promise<Uint8Array<ArrayBuffer>> {
  const { entries, queue } = drawing();
  const key = `${tip.reference} ${shareVersion(tip)}`;
  const found = entries.get(key);
  if (found) return found.bytes;
  const bytes = queue.run(async () => {
    // It brings fonts and two programs of its own, which nothing needs until a picture is drawn.
    const { ImageResponse } = await import('next/og');
    return new Uint8Array(
      await new ImageResponse(<Card tip={sharedTip(tip, defaultView)} />, shareImageSize).arrayBuffer(),
    );
  });
  // Whoever asks meanwhile joins; what failed is tried again.
  entries.set(key, { bytes, tags: [] });
  bytes.catch(() => entries.delete(key));
  return bytes;
}

function Card({ tip: { portfolio, what, where, odds, stake, state, when, demo } }: { tip: SharedTip }) {
  const heading = plain(what, longestHeading);
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        width: '100%',
        height: '100%',
        padding: '48px 64px',
        background: '#fbf8f1',
        color: ink,
        fontSize: 30,
      }}
    >
      <div
        style={{
          display: 'flex',
          justifyContent: 'space-between',
          alignItems: 'center',
          paddingBottom: 24,
          borderBottom: `6px solid ${ink}`,
        }}
      >
        <div style={{ display: 'flex', fontSize: 40 }}>Tipledger</div>
        <div style={{ display: 'flex', color: soft }}>{demo ? 'Demo data' : 'Recorded before the start'}</div>
      </div>
      <div style={{ display: 'flex', flexDirection: 'column', flexGrow: 1, justifyContent: 'center' }}>
        <div style={{ display: 'flex', fontSize: heading.length > 30 ? 56 : 76, lineHeight: 1.15 }}>{heading}</div>
        <div style={{ display: 'flex', marginTop: 16, color: '#47423a', fontSize: 34 }}>
          {plain(where, longestText)}
        </div>
      </div>
      <div style={{ display: 'flex', gap: 64, paddingTop: 24, borderTop: '2px solid #ddd5c4' }}>
        {odds !== null && <Fact name="Price taken" value={odds} />}
        <Fact name="Stake" value={stake} />
        <div style={{ display: 'flex', flexDirection: 'column', color: tones[state.tone] }}>
          <div style={{ display: 'flex', color: soft, fontSize: 24 }}>State</div>
          <div style={{ display: 'flex', alignItems: 'center', fontSize: 52 }}>
            <Shape tone={state.tone} />
            {state.text}
          </div>
        </div>
      </div>
      <div style={{ display: 'flex', justifyContent: 'space-between', marginTop: 28, color: soft, fontSize: 26 }}>
        <div style={{ display: 'flex' }}>{plain(portfolio, longestPortfolio)}</div>
        <div style={{ display: 'flex' }}>{`${when} · 18+`}</div>
      </div>
    </div>
  );
}

/** Profit and loss differ by shape as well as colour, drawn, since the font has no such signs. */
function Shape({ tone }: { tone: keyof typeof tones }) {
  if (tone === 'plain') return null;
  return (
    <svg width="34" height="30" viewBox="0 0 34 30" style={{ marginRight: 16 }}>
      <path d={tone === 'profit' ? 'M17 0L34 30H0Z' : 'M0 0H34L17 30Z'} fill={tones[tone]} />
    </svg>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div style={{ display: 'flex', flexDirection: 'column' }}>
      <div style={{ display: 'flex', color: soft, fontSize: 24 }}>{name}</div>
      <div style={{ display: 'flex', fontSize: 52 }}>{value}</div>
    </div>
  );
}
