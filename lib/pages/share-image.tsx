import { Queue } from '@/lib/platform/queue';
import { singleton } from '@/lib/platform/singleton';
import { TaggedEntries } from '@/lib/platform/tagged-entries';
import { cardVersion, type CardFact, type ShareCard, shareImageSize } from './share-cards';

const ink = '#1c1a17';
const soft = '#6a6356';
const tones = { plain: ink, profit: '#1b6a3c', loss: '#a6262b' } as const;
// Two lines of each, in their own size.
const longestHeading = 66;
const longestText = 120;
// What leaves room for what stands beside it.
const longestFoot = 44;
const longestName = 22;
const longestValue = 26;
// Ours (0033): how many pictures a process keeps.
const mostKept = 60;

type Picture = { bytes: Promise<Uint8Array<ArrayBuffer>>; tags: string[] };

// Ours (0050): drawing takes the one thread, so pictures are drawn one after another, and few wait.
const drawing = () =>
  singleton('share-images', () => ({
    entries: new TaggedEntries<Picture>({ max: mostKept }),
    queue: new Queue({ atOnce: 1, waiting: 20 }),
  }));

// What the packaged font has of Latin letters and signs; a test compares it with the file. For anything else the renderer would go and look on the network, and all other pictures would wait for what it finds.
const lacking =
  /[^ -~\u00a0-\u00ac\u00ae-\u0113\u0116-\u012b\u012e-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u017e\u018f\u0192\u01a0\u01a1\u01af\u01b0\u01cd\u01ce\u01e4-\u01e9\u0218-\u021b\u0237\u1e20\u1e21\u1e80-\u1e85\u1e9e\u1ea0-\u1ef9\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u20ac\u2212]/gu;

/** A text in characters that the font of the pictures has: of a letter that it lacks the letter below the marks, a hyphen for another one, nothing for the rest. */
export function drawable(text: string): string {
  return text
    .normalize('NFC')
    .replace(lacking, (character) =>
      /\p{Pd}/u.test(character) ? '-' : character.normalize('NFKD').replace(lacking, ''),
    )
    .trim();
}

const plain = (text: string, longest: number) => {
  const latin = drawable(text) || 'Tipledger';
  // A word is not cut, unless it fills the line alone.
  return latin.length > longest
    ? `${latin
        .slice(0, longest)
        .replace(/[\s,·]+\S*$/u, '')
        .slice(0, longest - 1)}…`
    : latin;
};

/** The picture that says this, as PNG. Failure 'unavailable' when too many wait to be drawn. */
export async function drawCard(card: ShareCard): Promise<Uint8Array<ArrayBuffer>> {
  const { entries, queue } = drawing();
  const key = cardVersion(card);
  const found = entries.get(key);
  if (found) return found.bytes;
  const bytes = queue.run(async () => {
    // It brings fonts and two programs of its own, which nothing needs until a picture is drawn.
    const { ImageResponse } = await import('next/og');
    return new Uint8Array(await new ImageResponse(<Card card={card} />, shareImageSize).arrayBuffer());
  });
  // Whoever asks meanwhile joins; what failed is tried again.
  entries.set(key, { bytes, tags: [] });
  bytes.catch(() => entries.delete(key));
  return bytes;
}

function Card({ card: { corner, heading, text, facts, foot } }: { card: ShareCard }) {
  const title = plain(heading, longestHeading);
  const [left, right] = foot;
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
        <div style={{ display: 'flex', color: soft }}>{plain(corner, longestFoot)}</div>
      </div>
      <div style={{ display: 'flex', flexDirection: 'column', flexGrow: 1, justifyContent: 'center' }}>
        <div style={{ display: 'flex', fontSize: title.length > 30 ? 56 : 76, lineHeight: 1.15 }}>{title}</div>
        {text !== '' && (
          <div style={{ display: 'flex', marginTop: 16, color: '#47423a', fontSize: 34 }}>
            {plain(text, longestText)}
          </div>
        )}
      </div>
      {facts.length > 0 && (
        <div style={{ display: 'flex', gap: 64, paddingTop: 24, borderTop: '2px solid #ddd5c4' }}>
          {facts.map((fact) => (
            <Fact key={fact.name} {...fact} />
          ))}
        </div>
      )}
      <div style={{ display: 'flex', justifyContent: 'space-between', marginTop: 28, color: soft, fontSize: 26 }}>
        <div style={{ display: 'flex' }}>{plain(left, longestFoot)}</div>
        <div style={{ display: 'flex' }}>{plain(right, longestFoot)}</div>
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

function Fact({ name, value, tone = 'plain' }: CardFact) {
  return (
    <div style={{ display: 'flex', flexDirection: 'column', color: tones[tone] }}>
      <div style={{ display: 'flex', color: soft, fontSize: 24 }}>{plain(name, longestName)}</div>
      <div style={{ display: 'flex', alignItems: 'center', fontSize: 52 }}>
        <Shape tone={tone} />
        {plain(value, longestValue)}
      </div>
    </div>
  );
}
