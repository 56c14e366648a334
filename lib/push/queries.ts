import 'server-only';
import { createECDH } from 'node:crypto';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { database, isInTransaction } from '@/lib/platform/database';
import { singleton } from '@/lib/platform/singleton';
import { readSecret } from '@/lib/platform/tokens';
import type { PushSettings } from './schema';

type VapidKeys = { publicKey: string; privateKey: string };

const known = singleton('vapid-keys', () => ({ keys: null as VapidKeys | null }));

/** RFC 8292: the site's own pair of keys, P-256 in base64url; the private one is a secret that is made on first use and never changes. */
export async function vapidKeys(): Promise<VapidKeys> {
  if (known.keys) return known.keys;
  const privateKey = await readSecret('vapid');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  const keys = { publicKey: pair.getPublicKey('base64url'), privateKey };
  // What a transaction made may be undone.
  if (!isInTransaction()) known.keys = keys;
  return keys;
}

/** The key that a browser subscribes with, and the member's browsers that are told, the newest first; Failure 'unauthorised' for a guest. */
export async function readPushSettings(viewer: Viewer): Promise<PushSettings> {
  requireMember(viewer);
  const { rows } = await sql<{ id: number; endpoint: string; device: string; createdAt: Date; usedAt: Date | null }>`
    select id, endpoint, device, created_at as "createdAt", used_at as "usedAt" from push_subscription where account_id = ${viewer.accountId} order by id desc
  `.execute(database());
  return {
    publicKey: (await vapidKeys()).publicKey,
    devices: rows.map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
      usedAt: row.usedAt?.toISOString() ?? null,
    })),
  };
}
