'use client';

import { useState } from 'react';
import { formatDate } from '@/lib/format';
import { legsText } from '@/lib/tips/rules';
import type { TipView } from '@/lib/tips/schema';
import { Button } from '../ui/button';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import { useAlive } from '../ui/use-alive';
import styles from './post-form.module.scss';

/** A tip that a post can hold. */
export type TipChoice = Pick<TipView, 'reference' | 'publishedAt' | 'legs' | 'free' | 'hidden' | 'started'>;

type PostFormTipsProps = {
  portfolioReference: string;
  tips: readonly TipChoice[];
  isMore: boolean;
  chosen: readonly string[];
  most: number;
  error: string | undefined;
  timeZone: string;
};

const titleOf = ({ legs }: TipChoice) => legsText(legs, 1) || 'A tip';

/** The tips of the portfolio to choose from, the newest first; older ones are asked for. */
export function PostFormTips({ portfolioReference, tips, isMore, chosen, most, error, timeZone }: PostFormTipsProps) {
  const [older, setOlder] = useState<{ tips: readonly TipChoice[]; next: number | null }>({
    tips: [],
    next: isMore ? 0 : null,
  });
  const [problem, setProblem] = useState<string | null>(null);
  const isAlive = useAlive();
  const [isAsking, setAsking] = useState(false);
  const all = [...new Map([...tips, ...older.tips].map((tip) => [tip.reference, tip])).values()];
  const known = new Set(all.map(({ reference }) => reference));
  const unseen = chosen.filter((reference) => !known.has(reference));

  async function showOlder(skip: number): Promise<void> {
    setProblem(null);
    setAsking(true);
    try {
      const { api } = await import('../state/api');
      const ask = (from: number) =>
        api('GET /portfolio/{reference}/tips', { params: { reference: portfolioReference }, query: { skip: from } });
      // The first page is here already.
      const first = skip === 0 ? (await ask(0)).next : skip;
      const { items, next } = first === null ? { items: [], next: null } : await ask(first);
      setOlder((before) => ({ tips: [...before.tips, ...items], next }));
    } catch (refusal) {
      setProblem(refusal instanceof Error ? refusal.message : 'The tips could not be read. Try again.');
    } finally {
      setAsking(false);
    }
  }

  if (all.length === 0 && unseen.length === 0) return null;
  const { next } = older;
  return (
    <fieldset className={styles.tips}>
      <legend>Tips of this post, {most} at most</legend>
      <ul className={styles.choices}>
        {all.map((tip) => (
          <li key={tip.reference}>
            <FieldCheck
              name="tips"
              value={tip.reference}
              defaultChecked={chosen.includes(tip.reference)}
              label={`${titleOf(tip)} · ${formatDate(tip.publishedAt, { timeZone, style: 'day-time' })}${tip.hidden && !tip.started ? ' · hidden until its start' : ''}`}
            />
          </li>
        ))}
        {unseen.map((reference) => (
          <li key={reference}>
            <FieldCheck name="tips" value={reference} defaultChecked label={`An older tip, ${reference}`} />
          </li>
        ))}
      </ul>
      {error && <FormMessage kind="error">{error}</FormMessage>}
      {problem && <FormMessage kind="error">{problem}</FormMessage>}
      {next !== null && (
        <div>
          <Button look="quiet" size="small" disabled={isAsking || !isAlive} onClick={() => void showOlder(next)}>
            {isAsking ? 'Reading…' : 'Show older tips'}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
