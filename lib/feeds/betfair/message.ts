import { z } from 'zod';
import { scanJson } from '../json-text';

const [earliest, latest] = [Date.UTC(2000, 0, 1), Date.UTC(2100, 0, 1)];

const momentSchema = z.iso
  .datetime('must be a moment such as 2017-06-14T18:55:00.000Z')
  .refine((text) => Date.parse(text) >= earliest && Date.parse(text) < latest, 'must be a moment from 2000 to 2099');

const text = z.string('must be text in quotation marks');
const identity = z.int('must be a whole number');
const truth = z.boolean('must be true or false');
const list = <T extends z.ZodType>(of: T) => z.array(of, 'must be a list');

const runnerSchema = z.object(
  {
    id: identity,
    name: z.string('must be given in quotation marks; only historical files name the runners'),
    status: text,
    removalDate: momentSchema.nullish(),
    // A starting price that never formed is written "NaN" or "Infinity".
    bsp: z.union([z.number(), z.string()], 'must be a number').nullish(),
  },
  'must be an object',
);

const definitionSchema = z.object(
  {
    eventTypeId: text,
    marketType: text,
    marketTime: momentSchema,
    status: z.enum(['INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED'], 'must be INACTIVE, OPEN, SUSPENDED or CLOSED'),
    inPlay: truth,
    bspReconciled: truth.default(false),
    timezone: text,
    venue: text.nullish(),
    countryCode: text.nullish(),
    name: text.nullish(),
    runners: list(runnerSchema),
  },
  'must be an object',
);

const messageSchema = z.object(
  {
    op: z.literal('mcm', 'must be "mcm"'),
    pt: z
      .int('must be milliseconds since 1970')
      .min(earliest, 'must be milliseconds since 1970, from 2000 on')
      .max(latest, 'must be milliseconds since 1970, until 2099'),
    mc: list(
      z.object(
        {
          id: text.min(1, 'must name the market').max(100, 'must be 100 characters at most'),
          marketDefinition: definitionSchema.nullish(),
          rc: list(
            z.object({ id: identity, ltp: z.number('must be a number').nullish() }, 'must be an object'),
          ).nullish(),
        },
        'must be an object',
      ),
    ).nullish(),
  },
  'must be an object',
);

/** A definition of a market: what it is, how it stands and who runs. */
export type Definition = z.infer<typeof definitionSchema>;

/** A runner in a definition. */
export type DefinedRunner = z.infer<typeof runnerSchema>;

/** One line of the stream: at the moment `pt`, in milliseconds since 1970, what changed in which markets. */
export type Message = z.infer<typeof messageSchema>;

/** A change of one market. */
export type Change = NonNullable<Message['mc']>[number];

/** A message, or the place in the line and one sentence that say why it is none. */
export type MessageReading = { ok: true; message: Message } | { ok: false; column: string | null; problem: string };

/** Reads one line of a stream file. */
export function readMessage(line: string): MessageReading {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    const { fault } = scanJson(line, '');
    return {
      ok: false,
      column: String((fault?.offset ?? 0) + 1),
      problem: `The line is not JSON here, where ${fault?.expected ?? 'a value'} should stand.`,
    };
  }
  const parsed = messageSchema.safeParse(value);
  if (parsed.success) return { ok: true, message: parsed.data };
  const [issue] = parsed.error.issues;
  const column = issue?.path.join('.') || null;
  return { ok: false, column, problem: `${column ?? 'The line'} ${issue?.message ?? 'cannot be read'}.` };
}
