'use client';

import { useState } from 'react';
import type { AnswerOf, Ask, CallName } from '@/lib/calls';
import { changesOf } from '@/lib/staff/rules';
import type { RulingOutcome } from '@/lib/rulings/schema';
import { type StaffAction, staffActions, type StaffOutcome } from '@/lib/staff/schema';
import { MarkdownField } from '../content/markdown-field';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { Select } from '../ui/select';
import { Table } from '../ui/table';
import { TextArea } from '../ui/text-area';
import { useForm } from '../ui/use-form';
import { EffectsTable } from './effects-table';
import styles from './staff-form.module.scss';

/** A call by which staff act on something: it answers with what that changes. */
export type StaffCall = {
  [N in Extract<CallName, `POST /admin/${string}`>]: AnswerOf<N> extends StaffOutcome ? N : never;
}[Extract<CallName, `POST /admin/${string}`>];

/** Something to fill in beside the reason. */
export type StaffField = {
  name: string;
  label: string;
  hint?: string;
  value?: string;
  isNeeded?: boolean;
} & (
  | { kind: 'text' | 'number' | 'date' | 'datetime-local' }
  | { kind: 'lines' }
  | { kind: 'markdown'; longest: number }
  | { kind: 'choice'; choices: readonly { value: string; title: string }[] }
);

type StaffFormProps = {
  call: StaffCall;
  params?: Readonly<Record<string, string>>;
  action: StaffAction;
  /** The words of the button, where they are not the action's own. */
  title?: string;
  lead?: string;
  /** What is sent as it is, such as the revision that was seen. */
  fixed?: Readonly<Record<string, string>>;
  fields?: readonly StaffField[];
  /** Called with what came of it; the page is read anew where it is not given. */
  onDone?: (outcome: StaffOutcome) => void;
};

function FieldOf({ field, error }: { field: StaffField; error: string | undefined }) {
  const { name, label, hint, value, isNeeded = false } = field;
  const shared = { name, label, hint, error, defaultValue: value, required: isNeeded };
  if (field.kind === 'choice') return <Select {...shared} choices={field.choices} />;
  if (field.kind === 'markdown') return <MarkdownField {...shared} maxLength={field.longest} rows={24} takesPictures />;
  if (field.kind === 'lines') return <TextArea {...shared} />;
  return <Field {...shared} type={field.kind} step={field.kind === 'number' ? 'any' : undefined} />;
}

// Staff do what they were shown: where something changed meanwhile, it is refused.
const markOf = (outcome: StaffOutcome & { mark?: string | null }) => outcome.mark ?? null;

/** Product §11: an action of staff: what it needs and why it is done, a look at what it will change, and only then the doing. */
export function StaffForm({ call, params = {}, action, title, lead, fixed = {}, fields = [], onDone }: StaffFormProps) {
  const [seen, setSeen] = useState<{ sent: Record<string, string>; outcome: StaffOutcome } | null>(null);
  const [done, setDone] = useState<StaffOutcome | null>(null);
  const words = title ?? staffActions[action].title;

  const send = async (sent: Record<string, string>, preview: boolean): Promise<StaffOutcome> => {
    const { api } = await import('../state/api');
    const body = { ...fixed, ...sent, action, preview };
    return (await api(call, { params, body } as unknown as Ask<StaffCall>)) as StaffOutcome;
  };

  const { form, problem, isSending, isAlive } = useForm(async (text) => {
    const sent = Object.fromEntries([...fields.map(({ name }) => name), 'reason'].map((name) => [name, text(name)]));
    if (seen === null || JSON.stringify(seen.sent) !== JSON.stringify(sent))
      return setSeen({ sent, outcome: await send(sent, true) });
    const outcome = await send(
      markOf(seen.outcome) === null ? sent : { ...sent, seen: markOf(seen.outcome) ?? '' },
      false,
    ).finally(
      // What was refused is looked at again before it is confirmed.
      () => setSeen(null),
    );
    setDone(outcome);
    if (onDone) return onDone(outcome);
    location.reload();
  });

  if (done !== null)
    return (
      <FormMessage kind="success">
        {words}: done, and written down as entry {done.entry}.
      </FormMessage>
    );
  const changes = seen && changesOf(seen.outcome.before, seen.outcome.after);
  const effects = seen && 'effects' in seen.outcome ? (seen.outcome as RulingOutcome).effects : null;
  return (
    <details className={styles.action}>
      <summary>{words}</summary>
      <FormStack {...form} onChange={() => setSeen(null)}>
        {lead && <p>{lead}</p>}
        {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
        {fields.map((field) => (
          <FieldOf key={field.name} field={field} error={problem.fields[field.name]} />
        ))}
        <TextArea
          name="reason"
          label="Why"
          hint="The log keeps it for good. Name no members in it."
          rows={2}
          required
          minLength={3}
          maxLength={500}
          data-missing="Say why in a few words."
          error={problem.fields.reason}
        />
        {changes && <Changes changes={changes} />}
        {effects && <EffectsTable effects={effects} />}
        <div className={styles.buttons}>
          <Button type="submit" disabled={isSending || !isAlive}>
            {isSending ? 'One moment…' : changes ? `Confirm: ${words}` : 'Show what changes'}
          </Button>
          {changes && (
            <Button look="quiet" onClick={() => setSeen(null)}>
              Leave it
            </Button>
          )}
        </div>
      </FormStack>
    </details>
  );
}

function Changes({ changes }: { changes: ReturnType<typeof changesOf> }) {
  if (changes.length === 0)
    return <p role="status">This changes nothing that is kept as a fact; the log would still say that it was done.</p>;
  return (
    <div role="status">
      <Table caption="What changes" narrow="stack">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Now</th>
            <th scope="col">Then</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ name, before, after }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-label="Now">{before ?? '–'}</td>
              <td data-label="Then">{after ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
