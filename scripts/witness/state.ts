import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import {
  type AddCheckpoint,
  base64urlOf,
  bytesOfBase64url,
  type CheckpointNote,
  cosign,
  decideToCosign,
  keyIdOf,
  logKeysOf,
  type NoteKey,
  noteKeyOf,
  parseCheckpointNote,
  parseVkey,
  problemOfKeys,
  signatureLine,
  signersOf,
  trustedThrough,
  vkeyOf,
  type WitnessDecision,
} from '@/lib/record/rules';
import type { LedgerKey } from '@/lib/record/schema';
import { codeOf, Refusal } from '../verify/reading';

/** A log that the witness cosigns for: its key, and the site that is followed, if any. */
export type KnownLog = { vkey: string; url: string | undefined };

/** The witness's own key. */
export type Signer = { key: NoteKey; privateKey: CryptoKey };

const keySchema = z.object({
  name: z.string(),
  jwk: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() }),
});

async function readFileOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new Refusal(`${file} cannot be read (${codeOf(error)}). Check the path and its permissions.`);
  }
}

/** Writes a file whole and lastingly, or not at all, readable by its owner alone. */
async function writeWhole(file: string, text: string): Promise<void> {
  const beside = `${file}.${process.pid}.part`;
  const handle = await open(beside, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(beside, file);
  const folder = await open(path.dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

/** The witness's key from its file, which is made under this name when there is none. */
export async function readSigner(file: string, name: string | undefined): Promise<Signer> {
  const text = (await readFileOrNull(file)) ?? (await makeKey(file, name));
  const parsed = keySchema.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new Refusal(`${file} holds no key of a witness. Name another file, or a new one to make a key.`);
  const { name: own, jwk } = parsed.data;
  const privateKey = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['sign']);
  return { key: await noteKeyOf(own, 0x04, bytesOfBase64url(jwk.x)), privateKey };
}

async function makeKey(file: string, name: string | undefined): Promise<string> {
  if (name === undefined || !/^[^\s+]+$/u.test(name))
    throw new Refusal(
      `${file} is not there. To make a key, name the witness with --name, such as witness.example/w1, without blanks and plus signs.`,
    );
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const { kty, crv, x, d } = await crypto.subtle.exportKey('jwk', (pair as CryptoKeyPair).privateKey);
  const text = `${JSON.stringify({ name, jwk: { kty, crv, x, d } })}\n`;
  await writeWhole(file, text);
  return text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const stateSchema = z.record(z.string(), z.object({ note: z.string(), vkey: z.string() }));

type Latest = { note: string; vkey: string; checkpoint: CheckpointNote };

async function readLatest(file: string): Promise<Map<string, Latest>> {
  const text = await readFileOrNull(file);
  const parsed = stateSchema.safeParse(text === null ? {} : jsonOf(text));
  if (!parsed.success)
    throw new Refusal(
      `${file} holds no state of a witness. A witness that forgot what it saw must not go on under the same key: put the file back, or begin with another key.`,
    );
  return new Map(
    Object.entries(parsed.data).map(([origin, { note, vkey }]) => {
      const checkpoint = parseCheckpointNote(note);
      if (checkpoint?.origin !== origin)
        throw new Refusal(`${file} names a checkpoint of ${origin} that is none. Put the file back as it was.`);
      return [origin, { note, vkey, checkpoint }];
    }),
  );
}

const lockPatienceMilliseconds = 5_000;
const staleMilliseconds = 30_000;

/** Runs `body` while no other witness works with the state file; one that was cut off holds it no longer than half a minute. */
async function alone<T>(file: string, body: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  for (const until = performance.now() + lockPatienceMilliseconds; ; ) {
    try {
      await (await open(lock, 'wx', 0o600)).close();
      break;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST')
        throw new Refusal(`${lock} cannot be written (${codeOf(error)}). Check the path and its permissions.`);
      const age = await stat(lock).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age > staleMilliseconds) await rm(lock, { force: true });
      else if (performance.now() > until)
        throw new Refusal(`${file} is held by another witness. Give each witness a state file and a key of its own.`);
      else await wait(20);
    }
  }
  try {
    return await body();
  } finally {
    await rm(lock, { force: true });
  }
}

/** What a witness answers: its decision, and the line by which it cosigned. */
export type Cosigned = { decision: WitnessDecision; line: string };

/** The newest checkpoint of each log as the witness cosigned it, in a file that is written before anything is answered. */
export class WitnessState {
  readonly #file: string;
  readonly #keys = new Map<string, NoteKey[]>();
  readonly #latest = new Map<string, Latest>();
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(file: string) {
    this.#file = file;
  }

  static async open(file: string, logs: readonly KnownLog[]): Promise<WitnessState> {
    const state = new WitnessState(file);
    for (const [origin, latest] of await readLatest(file)) {
      state.#latest.set(origin, latest);
      if (!logs.some((known) => known.vkey.startsWith(`${origin}+`))) await state.trust(latest.vkey);
    }
    for (const { vkey } of logs) await state.trust(vkey);
    return state;
  }

  /** Cosigns for a log of this key from now on. */
  async trust(vkey: string): Promise<NoteKey> {
    const key = await parseVkey(vkey);
    if (key?.type !== 0x01)
      throw new Refusal(`"${vkey}" is no key of a log. Give it as the log's page about the record shows it.`);
    const known = this.#keys.get(key.name) ?? [];
    if (!known.some(({ id }) => id === key.id)) this.#keys.set(key.name, [...known, key]);
    return key;
  }

  /** Whether the witness cosigns for the log of this name. */
  knows(origin: string): boolean {
    return this.#keys.has(origin);
  }

  /** Whether a key that the witness knows of the log signed the checkpoint. */
  async isSignedByKnown({ origin, note }: CheckpointNote): Promise<boolean> {
    const signers = await signersOf(note, this.#keys.get(origin) ?? []);
    return signers !== false && signers.length > 0;
  }

  /** Cosigns for the log also by those of its published keys that follow on a known one, each signed by the one before. */
  async followRotation(origin: string, published: readonly LedgerKey[]): Promise<void> {
    const keys = new Map(published.map((key) => [key.kid, key]));
    if (await problemOfKeys(keys)) return;
    const known = await Promise.all(
      (this.#keys.get(origin) ?? []).map(({ publicKey }) => keyIdOf(base64urlOf(publicKey))),
    );
    const trusted = trustedThrough(keys, known) ?? [];
    const followed = published.filter(({ kid }) => trusted.includes(kid) && !known.includes(kid));
    for (const key of await logKeysOf(
      origin,
      followed.map(({ x }) => x),
    ))
      await this.trust(vkeyOf(key));
  }

  /** The newest checkpoint of the log that was cosigned, null before the first. */
  latestOf(origin: string): CheckpointNote | null {
    return this.#latest.get(origin)?.checkpoint ?? null;
  }

  /** The newest note of each log, as it was cosigned. */
  notes(): string[] {
    return [...this.#latest.values()].map(({ note }) => note);
  }

  /** Decides on a checkpoint and cosigns it, one after another, so that no tree is ever taken back; `note` is its text as it came. */
  cosign(asked: AddCheckpoint, note: string, { key, privateKey }: Signer, seconds: number): Promise<Cosigned> {
    const result = this.#turn
      .catch(() => undefined)
      .then(() =>
        alone(this.#file, async () => {
          await this.#readAgain();
          const { checkpoint } = asked;
          const keys = this.#keys.get(checkpoint.origin) ?? null;
          const decision = await decideToCosign(asked, keys, this.latestOf(checkpoint.origin));
          if (decision.status !== 200) return { decision, line: '' };
          const line = signatureLine(await cosign(checkpoint.note.text, seconds, key, privateKey));
          await this.#keep(checkpoint, note + line);
          return { decision, line };
        }),
      );
    this.#turn = result;
    return result;
  }

  // Another witness may have gone on in the same file meanwhile.
  async #readAgain(): Promise<void> {
    for (const [origin, latest] of await readLatest(this.#file)) this.#latest.set(origin, latest);
  }

  async #keep(checkpoint: CheckpointNote, note: string): Promise<void> {
    const signers = await signersOf(checkpoint.note, this.#keys.get(checkpoint.origin) ?? []);
    const [key] = signers || [];
    const latest = { note, vkey: key ? vkeyOf(key) : '', checkpoint };
    const kept = new Map(this.#latest).set(checkpoint.origin, latest);
    await writeWhole(
      this.#file,
      `${JSON.stringify(Object.fromEntries([...kept].map(([origin, { note: text, vkey }]) => [origin, { note: text, vkey }])), null, 2)}\n`,
    );
    this.#latest.set(checkpoint.origin, latest);
  }
}
