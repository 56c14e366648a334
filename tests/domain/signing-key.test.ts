import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { sql } from 'kysely';
import { guest } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { keyFile, movePrivateKeys, nextKeyFile, rotateLedgerKey, whyCannotSign } from '@/lib/record/commands';
import { exportLedger, getCheckpoints } from '@/lib/record/queries';
import { readLedger, verifyLedger } from '@/lib/record/rules';
import type { VerifyOptions } from '@/lib/record/rules/verify';
import type { LedgerKey } from '@/lib/record/schema';
import { decidedAt } from '@/lib/platform/moment';
import { readReadiness } from '@/lib/program/readiness';
import { forgetEverything } from '@/lib/platform/cache';
import { createSecretFile } from '@/lib/platform/secret-file';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { inEnvironment } from '../support/environment';
import { signLedger } from '../support/moments';
import { fillRecord } from '../support/record';

onTestDatabase();

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-key-'));
  folders.push(folder);
  return folder;
};
const own = newFolder();
const later = new Date('2026-03-12T12:00:00.000Z');

beforeAll(() => inEnvironment({ TIPLEDGER_DATA: own }, async () => void (await fillRecord())));
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

const keys = async () =>
  (
    await sql<{
      key: LedgerKey;
      jwk: unknown;
    }>`select public_key as key, private_jwk as jwk from signing_key order by public_key ->> 'validFrom'`.execute(
      database(),
    )
  ).rows;

async function* bytes(): AsyncGenerator<Uint8Array> {
  for await (const piece of await exportLedger(guest(), 'ndjson')) yield new TextEncoder().encode(piece);
}

async function verify(options: VerifyOptions = {}) {
  forgetEverything();
  return verifyLedger(readLedger(bytes()), options);
}

/** A test on a data folder, all of whose writes to the database are undone. */
const onFolder =
  (folder: string, body: () => Promise<void>, more: Record<string, string> = {}) =>
  () =>
    inEnvironment({ TIPLEDGER_DATA: folder, ...more }, undone(body));

/** A copy of the folder whose key signs. */
function copied(): string {
  const folder = newFolder();
  writeFileSync(path.join(folder, 'ledger-signing-key.jwk'), readFileSync(path.join(own, 'ledger-signing-key.jwk')));
  return folder;
}

describe('the key that signs the ledger', () => {
  test(
    'lies in a file of the data folder that nobody else may read, and its public half alone in the database',
    onFolder(own, async () => {
      expect(readdirSync(own)).toEqual(['ledger-signing-key.jwk']);
      expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
      const [{ key, jwk } = { key: null, jwk: 'none' }] = await keys();
      expect([jwk, key?.validUntil, key?.rotation]).toEqual([null, null, undefined]);
      expect(JSON.parse(readFileSync(keyFile(), 'utf8'))).toMatchObject({
        kty: 'OKP',
        x: key?.x,
        d: expect.any(String) as unknown,
      });
      expect(await signLedger(later)).toMatchObject({ keyId: key?.kid });
      expect(await keys()).toHaveLength(1);
    }),
  );

  test('is not made a second time where the private half is elsewhere: nothing is signed, and it is said', async () => {
    const folder = newFolder();
    await onFolder(folder, async () => {
      const [{ key } = { key: null }] = await keys();
      await expect(signLedger(later)).rejects.toThrow(
        `This instance cannot sign the ledger: the private key of ${key?.kid} is neither in ${folder}`,
      );
      expect(await whyCannotSign()).toContain('npm run ledger:rotate-key');
      await expect(rotateLedgerKey()).rejects.toMatchObject({ kind: 'unavailable' });
      expect([(await keys()).length, readdirSync(folder)]).toEqual([1, []]);
    })();
  });

  test(
    'is no matter of an instance whose jobs are off, which says so and serves',
    onFolder(
      own,
      async () => {
        expect(await readReadiness()).toMatchObject({
          status: 'ready',
          warnings: expect.arrayContaining([expect.stringContaining('TIPLEDGER_JOBS')]) as unknown,
        });
      },
      { TIPLEDGER_JOBS: 'off' },
    ),
  );

  test('that cannot be kept in the data folder is said before any was made', async () => {
    const withoutKey = async () => {
      await asOwner(sql`delete from signing_key`, { unguarded: 'signing_key' });
    };
    // Nobody may make a file there, whoever it is.
    await onFolder('/proc/tipledger', async () => {
      await withoutKey();
      const said = await whyCannotSign();
      expect(said).toMatch(
        /^This instance cannot sign the ledger: its key cannot be kept in \/proc\/tipledger\/ledger-signing-key\.jwk \(E[A-Z]+\)\. Set TIPLEDGER_DATA to a folder/,
      );
      expect(await readReadiness()).toMatchObject({ warnings: expect.arrayContaining([said]) as unknown });
    })();
    const folder = newFolder();
    await onFolder(path.join(folder, 'not', 'there'), async () => {
      await withoutKey();
      expect(await whyCannotSign()).toBeNull();
    })();
    expect(readdirSync(folder)).toEqual([]);
  });

  const broken: [string, (file: string) => void, string][] = [
    ['that may not be read', (file) => mkdirSync(file), 'EISDIR'],
    ['that is cut', (file) => writeFileSync(file, '{"kty":"OKP","crv":"Ed25519","x":"secret'), 'SyntaxError'],
    [
      'whose private half is cut',
      (file) => {
        const jwk = JSON.parse(readFileSync(path.join(own, 'ledger-signing-key.jwk'), 'utf8')) as { d: string };
        writeFileSync(file, JSON.stringify({ ...jwk, d: jwk.d.slice(0, -4) }));
      },
      'DataError',
    ],
  ];

  test.each(broken)('%s is named, nothing is signed, and the instance serves on', async (_, make, why) => {
    const folder = newFolder();
    await onFolder(folder, async () => {
      const file = path.join(folder, 'ledger-signing-key.jwk');
      make(file);
      const said = `This instance cannot sign the ledger: the key in ${file} cannot be read (${why}). Give the program the whole key, in a file that its user may read.`;
      expect(await whyCannotSign()).toBe(said);
      await expect(signLedger(later)).rejects.toThrow(said);
      expect(await readReadiness()).toMatchObject({
        status: 'ready',
        warnings: expect.arrayContaining([said]) as unknown,
      });
    })();
  });

  test('may be told by a setting instead, as JSON or in base64', async () => {
    const text = readFileSync(path.join(own, 'ledger-signing-key.jwk'), 'utf8');
    for (const setting of [text, Buffer.from(text).toString('base64')]) {
      await onFolder(
        newFolder(),
        async () => {
          expect(await whyCannotSign()).toBeNull();
          expect(await signLedger(later)).not.toBeNull();
        },
        { TIPLEDGER_SIGNING_KEY: setting },
      )();
    }
  });

  test('is not made anew when the database has lost the public one', () =>
    onFolder(newFolder(), async () => {
      await asOwner(sql`delete from signing_key`, { unguarded: 'signing_key' });
      await expect(signLedger(later)).rejects.toThrow('its table of keys was changed');
    })());
});

describe('a key that was rotated', () => {
  test('is signed by the one before, and what both have signed verifies, also for whoever trusts the old one alone', () =>
    onFolder(copied(), async () => {
      const before = readFileSync(keyFile(), 'utf8');
      const { oldKeyId, newKeyId } = await decidedAt(later, rotateLedgerKey);
      expect([readFileSync(keyFile(), 'utf8') === before, readdirSync(path.dirname(keyFile()))]).toEqual([
        false,
        ['ledger-signing-key.jwk'],
      ]);
      expect(await signLedger(new Date(later.getTime() + 1000))).toMatchObject({ keyId: newKeyId });
      expect(await verify({ trustedKeyIds: [oldKeyId] })).toMatchObject({
        ok: true,
        trusted: true,
        keyIds: expect.arrayContaining([oldKeyId, newKeyId]) as unknown,
      });
      expect(await verify({ trustedKeyIds: [newKeyId] })).toMatchObject({ ok: false, firstProblem: { kind: 'key' } });
      forgetEverything();
      expect((await getCheckpoints()).keys).toMatchObject([
        { kid: oldKeyId, validUntil: later.toISOString() },
        { kid: newKeyId, validFrom: later.toISOString(), rotation: { signedBy: oldKeyId } },
      ]);
    })());

  const asRoot = process.getuid?.() === 0 ? test : test.skip;

  asRoot('by root stays a file of the account that the site runs under', () =>
    onFolder(copied(), async () => {
      const folder = path.dirname(keyFile());
      for (const file of [folder, keyFile()]) chownSync(file, 65_534, 65_534);
      await decidedAt(later, rotateLedgerKey);
      expect([statSync(keyFile()).uid, statSync(keyFile()).gid, statSync(keyFile()).mode & 0o777]).toEqual([
        65_534, 65_534, 0o600,
      ]);
      rmSync(keyFile());
      createSecretFile(keyFile(), '{}');
      expect(statSync(keyFile()).uid).toBe(65_534);
    })(),
  );

  test('signs on when the rotation was cut off before its file had its name, and can be rotated again', () =>
    onFolder(copied(), async () => {
      const old = readFileSync(keyFile(), 'utf8');
      const { newKeyId } = await decidedAt(later, rotateLedgerKey);
      renameSync(keyFile(), nextKeyFile());
      writeFileSync(keyFile(), old);
      expect(await signLedger(new Date(later.getTime() + 1000))).toMatchObject({ keyId: newKeyId });
      expect(await decidedAt(new Date(later.getTime() + 2000), rotateLedgerKey)).toMatchObject({ oldKeyId: newKeyId });
      expect(await verify()).toMatchObject({ ok: true });
    })());
});

describe('private keys that an earlier version kept in the database', () => {
  const asBefore = async () => {
    const jwk = readFileSync(path.join(own, 'ledger-signing-key.jwk'), 'utf8');
    await asOwner(sql`update signing_key set private_jwk = ${jwk}::jsonb`, { unguarded: 'signing_key' });
  };
  // As the owner, within the test's own transaction, which cannot be ended and in which nothing can be cleaned.
  const query = async (text: string) => {
    if (/^(begin|commit|rollback|vacuum)/.test(text)) return { rows: [] };
    if (text.startsWith('update')) return { rows: [await asOwner(sql.raw(text))].slice(1) };
    return sql.raw(text).execute(database());
  };

  test('move into the file of this instance, which signs on', () =>
    onFolder(newFolder(), async () => {
      await asBefore();
      expect(await movePrivateKeys(query)).toBe(1);
      expect((await keys()).map(({ jwk }) => jwk)).toEqual([null]);
      expect(await signLedger(later)).not.toBeNull();
      expect(await movePrivateKeys(query)).toBe(0);
    })());

  test('stay where they are when the file holds another, and it is said what to do', () =>
    onFolder(newFolder(), async () => {
      await asBefore();
      writeFileSync(
        keyFile(),
        JSON.stringify(
          await exportJWK((await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })).privateKey),
        ),
      );
      await expect(movePrivateKeys(query)).rejects.toThrow('Move that file away and start again');
      expect((await keys()).map(({ jwk }) => jwk)).not.toEqual([null]);
    })());
});
