import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { now as present } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { mailGivenUp, mailTries, unsubscribable } from '@/lib/platform/mail';
import { wholeNumberOf } from '@/lib/platform/whole-number';
import { routes } from '@/lib/routes';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffList } from '@/lib/staff/schema';
import { type MailStatus, mailStatus, type StoredMail } from '../rules/status';

/** A mail of the outbox as staff see it. The subject is null of one that was asked for, as it may hold a code; its text is never read. */
export type StaffMail = {
  id: number;
  to: string;
  subject: string | null;
  at: string;
  attempts: number;
  nextAt: string | null;
  failure: string | null;
  standing: MailStatus;
};

type Row = StoredMail & Pick<StaffMail, 'id' | 'to' | 'subject'> & { at: Date };

const columns = sql`id, recipient as "to", case when headers ? ${sql.lit(unsubscribable)} then subject end as subject, created_at as at, attempts, next_at as "nextAt", failure`;

/** How the program tries mails, for `mailStatus`. */
export const knownTries = () => ({ ...mailTries, givenUp: mailGivenUp, serverKnown: env().SMTP_URL !== undefined });

const viewOf = ({ at, nextAt, ...row }: Row): StaffMail => ({
  ...row,
  at: at.toISOString(),
  nextAt: row.attempts < mailTries.most ? nextAt.toISOString() : null,
  standing: mailStatus({ ...row, nextAt }, knownTries(), present()),
});

const states: Readonly<Record<string, RawBuilder<unknown>>> = {
  due: sql`and attempts = 0`,
  tried: sql`and failure is not null and attempts < ${mailTries.most}`,
  failed: sql`and failure is not null and failure <> ${mailGivenUp} and attempts >= ${mailTries.most}`,
  'given-up': sql`and failure = ${mailGivenUp} and attempts >= ${mailTries.most}`,
};

/** Product §11, §12: the mails that wait for the mail server, the newest first. */
export const staffMails: StaffList<StaffMail> = {
  name: 'mails',
  title: 'Mail outbox',
  lead: 'Mails on their way to the mail server. One that was taken is here no more; one that is refused for good stops news to its address instead. Texts are not shown, nor subjects that may hold a code.',
  none: 'No mail waits here. Search by the whole address.',
  searched: 'whole address',
  filters: [
    {
      name: 'state',
      title: 'State',
      choices: [
        { value: 'due', title: 'Not tried yet' },
        { value: 'tried', title: 'Tried, waits' },
        { value: 'failed', title: 'Failed' },
        { value: 'given-up', title: 'Given up' },
      ],
    },
  ],
  columns: [
    { key: 'id', title: 'Number', cell: ({ id }) => String(id), href: ({ id }) => routes.staff('mails', { id }) },
    { key: 'at', title: 'Written', cell: ({ at }) => ({ at }) },
    { key: 'to', title: 'To', wide: true, cell: ({ to }) => to },
    { key: 'subject', title: 'Subject', wide: true, cell: ({ subject }) => subject ?? 'not shown' },
    { key: 'state', title: 'State', cell: ({ standing: { title, tone } }) => ({ state: title, tone }) },
    { key: 'why', title: 'What the server said last', wide: true, cell: ({ failure }) => failure },
    { key: 'tries', title: 'Tries', figure: true, cell: ({ attempts }) => attempts },
    { key: 'next', title: 'Next try', cell: ({ nextAt }) => (nextAt === null ? null : { at: nextAt }) },
  ],
  read: async (viewer, { q, chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const before = wholeNumberOf(after);
    const { rows } = await sql<Row>`
      select ${columns} from mail_outbox
      where (${before}::int is null or id < ${before}::int) and (${q}::text is null or lower(recipient) = lower(${q}::text)) ${states[chosen['state'] ?? ''] ?? sql``}
      order by id desc limit ${limit + 1}
    `.execute(database());
    return { rows: rows.slice(0, limit).map(viewOf), next: rows.length > limit ? String(rows[limit - 1]?.id) : null };
  },
};

/** A mail of the outbox as staff see it. Failure 'unauthorised' or 'forbidden' for whoever is not staff, 'missing' for one that was taken or never was. */
export async function getMailForStaff(viewer: Viewer, id: number): Promise<StaffMail> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<Row>`select ${columns} from mail_outbox where id = ${id}`.execute(database());
  if (!rows[0])
    throw new Failure('missing', 'This mail is not in the outbox: it was taken by the mail server, or never was.');
  return viewOf(rows[0]);
}
