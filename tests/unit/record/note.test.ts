import fc from 'fast-check';
import {
  base64urlOf,
  cosign,
  isSignatureOf,
  noteKeyOf,
  parseCheckpointNote,
  parseNote,
  parseSignatures,
  parseVkey,
  parseWitnessKey,
  signersOf,
  vkeyOf,
} from '@/lib/record/rules';
import { base64Of } from '@/lib/record/rules/canonical';
import { checkpointText, parseCheckpointText } from '@/lib/record/rules/checkpoint-note';
import { bytesOfBase64, cosignedAt, signNoteText, writeNote } from '@/lib/record/rules/note';
import { importSigner, otherJwk, rfcJwk } from './ledger';

// The keys, the text and the signatures that the note package of Go publishes.
const peterVkey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const peterSeed = 'gQoUAtUUbI2E8kQzMPVAgOv5juF9nHT2JS/F1ccoMXM=';
const enochVkey = 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop';
const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const peterLine =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const enochLine =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';

// A checkpoint of a public log with the cosignature of a public witness, as both gave them out.
const publicNote = `coachandhorses2026h1.staging.certificate.transparency.goog
185550722
YXAM0VmnrfvLaBCOOYSJhCaE5F10oGBOo+hkbDa1kng=

— coachandhorses2026h1.staging.certificate.transparency.goog MpXgsHy8ZwxXnO+WjtVrPxAzL49Rs1gWTkNVNeEa//5peAzaocRCB3qt3EaibjzY5GILLtGgBP7dBhgcSHy+JQh0OAc=
— witness.navigli.sunlight.geomys.org o+AP4gAAAABqb7DzNrGFRJnQ9vrJ8xpnwZytnr/ZYczDIsvwvouiSjwOjn7a72ccxBk+lKnZ7dKqkYKER1s/KxLTaVwQD7lJZTC/CQ==
`;
const publicWitness = 'witness.navigli.sunlight.geomys.org+a3e00fe2+BNy/co4C1Hn1p+INwJrfUlgz7W55dSZReusH/GhUhJ/G';

const keyIn = async (vkey: string) => {
  const key = await parseVkey(vkey);
  if (!key) throw new Error(`${vkey} is no key`);
  return key;
};

const read = (whole: string) => {
  const note = parseNote(whole);
  if (!note) throw new Error('no note');
  return note;
};

describe('a key of notes', () => {
  it.each([
    peterVkey,
    enochVkey,
    'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
    'remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2',
  ])('such as %s is read and written alike', async (vkey) => {
    expect(vkeyOf(await keyIn(vkey))).toBe(vkey);
  });

  it('is refused when a character of it is left out, cut off or another', async () => {
    for (let from = 0; from <= peterVkey.length; from += 1) {
      for (let to = from + 1; to <= peterVkey.length; to += 1) {
        if (from > 0 || to < peterVkey.length) expect(await parseVkey(peterVkey.slice(from, to))).toBeNull();
      }
    }
    for (let at = 0; at < peterVkey.length; at += 1) {
      expect(
        await parseVkey(
          peterVkey.slice(0, at) + String.fromCharCode(peterVkey.charCodeAt(at) + 1) + peterVkey.slice(at + 1),
        ),
      ).toBeNull();
    }
  });

  it.each([
    'PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==',
    'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  ])('of another length, of an unknown kind or with a blank in its name is refused: %s', async (vkey) => {
    expect(await parseVkey(vkey)).toBeNull();
  });

  it('cannot be made under a name with a plus sign or a blank', async () => {
    for (const name of ['', 'a+b', 'a b', 'a\u2003b', 'a\nb'])
      await expect(noteKeyOf(name, 0x01, new Uint8Array(32))).rejects.toThrow('cannot be the name of a key');
  });

  it('of a witness that publishes it as an ordinary one stands for its cosignatures', async () => {
    const key = await parseWitnessKey('TEST+7997405c+AQcC+FTVKf0jlTdHDY3rbevmnKxxPjigCXlVtGe6RIr6');
    expect(key).toMatchObject({ name: 'TEST', type: 4 });
    expect(key?.id).not.toBe('7997405c');
    expect(await parseWitnessKey('TEST')).toBeNull();
  });
});

describe('a signed note', () => {
  it('is made byte for byte as Go makes it', async () => {
    const seed = bytesOfBase64(peterSeed)!;
    const key = await keyIn(peterVkey);
    const privateKey = await crypto.subtle.importKey(
      'jwk',
      { kty: 'OKP', crv: 'Ed25519', d: base64urlOf(seed), x: base64urlOf(key.publicKey) },
      'Ed25519',
      false,
      ['sign'],
    );
    expect(writeNote({ text, signatures: [await signNoteText(text, key, privateKey)] })).toBe(`${text}\n${peterLine}`);
  });

  it('is verified by the keys that signed it, and others are passed over', async () => {
    const [peter, enoch] = [await keyIn(peterVkey), await keyIn(enochVkey)];
    const note = read(`${text}\n${peterLine}${enochLine}`);
    expect(writeNote(note)).toBe(`${text}\n${peterLine}${enochLine}`);
    expect(await signersOf(note, [peter, enoch])).toEqual([peter, enoch]);
    expect(await signersOf(note, [enoch])).toEqual([enoch]);
    expect(await signersOf(note, [])).toEqual([]);
    expect(await signersOf(read(`${text}\n${peterLine}${peterLine}`), [peter])).toEqual([peter]);
  });

  it('is rejected whole when a key that is known did not sign this text', async () => {
    const peter = await keyIn(peterVkey);
    expect(await signersOf(read(`${text.replace('is the answer', 'is an answer')}\n${peterLine}`), [peter])).toBe(
      false,
    );
    expect(await signersOf(read(`${text}\n${peterLine}${peterLine.replace('/ZJk', '/ZJj')}`), [peter])).toBe(false);
    expect(await signersOf(read(`${text}\n${peterLine.replace('PeterNeumann', 'CarmenSandiego')}`), [peter])).toEqual(
      [],
    );
  });

  it.each([
    ['without signatures', text],
    ['with an empty line at its end', `${text}\n`],
    ['that breaks off', `${text}\n${peterLine.slice(0, -1)}`],
    ['with a control character', `\u0001${text}\n${peterLine}`],
    ['with half a surrogate pair', `\ud800${text}\n${peterLine}`],
    [
      'with a name of two words',
      `${text}\n— Bad Name x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`,
    ],
    ['with another line among the signatures', `${text}\n${peterLine}Unexpected line.\n`],
    ['with base64 of two spellings', `${text}\n${peterLine.replace('nAM=', 'nAN=')}`],
    ['with too many signatures', `${text}\n${peterLine.repeat(101)}`],
    ['that is too long', `${'a'.repeat(1_000_000)}\n\n${peterLine}`],
  ])('%s is none', (_, whole) => {
    expect(parseNote(whole)).toBeNull();
  });

  it('has its text up to the last empty line', () => {
    const poem = 'Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n';
    const line =
      '— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n';
    expect(read(`${poem}\n${line}`)).toMatchObject({
      text: poem,
      signatures: [{ name: 'quasimodo.example/salvatore', id: '367ba04b' }],
    });
  });
});

describe('base64', () => {
  it('of any bytes is read back, and no other spelling of it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        expect(Buffer.from(bytes).toString('base64')).toBe(base64Of(bytes));
        expect(bytesOfBase64(base64Of(bytes))).toEqual(Uint8Array.from(bytes));
      }),
      { seed: 4648 },
    );
    for (const spelling of ['QUJDQUJD=', 'QUJD QUJD', 'QR==', 'QUJDQ', 'QUI', '====', 'QUI-'])
      expect(bytesOfBase64(spelling)).toBeNull();
  });
});

describe('a cosignature', () => {
  it('of a public witness is verified over a public checkpoint, with its date', async () => {
    const witness = (await parseWitnessKey(publicWitness))!;
    const note = read(publicNote);
    expect(await signersOf(note, [witness])).toEqual([witness]);
    expect(cosignedAt(note.signatures[1]!)).toBe(0x6a6fb0f3);
    expect(cosignedAt(note.signatures[0]!)).toBeNull();
    expect(await signersOf(read(publicNote.replace('185550722', '185550723')), [witness])).toBe(false);
  });

  it('says which key, when and over which text, and nothing of it can be another', async () => {
    const { privateKey } = await importSigner(rfcJwk);
    const key = await noteKeyOf(
      'witness.example/w1',
      0x04,
      bytesOfBase64(Buffer.from(rfcJwk.x, 'base64url').toString('base64'))!,
    );
    const body = checkpointText({ origin: 'example.com/log', size: 5, root: 'ab'.repeat(32) });
    const made = await cosign(body, 1_700_000_000, key, privateKey);
    expect([made.signature.length, cosignedAt(made)]).toEqual([72, 1_700_000_000]);
    expect(await isSignatureOf(body, made, key)).toBe(true);
    expect(await isSignatureOf(body.replace('5', '6'), made, key)).toBe(false);
    for (let at = 0; at < made.signature.length; at += 1) {
      expect(
        await isSignatureOf(
          body,
          { ...made, signature: made.signature.map((byte, index) => (index === at ? byte ^ 1 : byte)) },
          key,
        ),
      ).toBe(false);
    }
    expect(
      await isSignatureOf(
        body,
        made,
        await noteKeyOf(
          'witness.example/w1',
          0x04,
          bytesOfBase64(Buffer.from(otherJwk.x, 'base64url').toString('base64'))!,
        ),
      ),
    ).toBe(false);
    expect(await isSignatureOf(body, { ...made, signature: made.signature.slice(8) }, key)).toBe(false);
  });

  it('comes in lines, as a witness answers', () => {
    expect(parseSignatures(`${peterLine}${enochLine}`)).toHaveLength(2);
    for (const answer of ['', peterLine.slice(0, -1), `\n${peterLine}`, 'not found\n'])
      expect(parseSignatures(answer)).toBeNull();
  });
});

describe('a checkpoint in a note', () => {
  it('is the one that the specification shows', () => {
    const parsed = parseCheckpointNote(publicNote);
    expect(parsed).toMatchObject({
      origin: 'coachandhorses2026h1.staging.certificate.transparency.goog',
      size: 185550722,
    });
    expect(checkpointText(parsed!)).toBe(parsed!.note.text);
  });

  it('may have further lines', () => {
    expect(parseCheckpointText(`example.com/log\n0\n${'A'.repeat(43)}=\nmore\n`)).toEqual({
      origin: 'example.com/log',
      size: 0,
      root: '0'.repeat(64),
    });
  });

  it.each([
    '',
    'a\n1\n',
    `a\n01\n${'A'.repeat(43)}=\n`,
    `a\n-1\n${'A'.repeat(43)}=\n`,
    `a\n1\n${'A'.repeat(43)}\n`,
    `\n1\n${'A'.repeat(43)}=\n`,
    `a\n1\n${'A'.repeat(43)}=\n\n`,
    `a\n1\n${'A'.repeat(43)}=`,
    `a\n9999999999999999\n${'A'.repeat(43)}=\n`,
  ])('is none in %j', (given) => {
    expect(parseCheckpointText(given)).toBeNull();
  });
});
