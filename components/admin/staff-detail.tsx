import { Fragment, type ReactNode } from 'react';
import { formatDate } from '@/lib/format';
import type { StaffCell } from '@/lib/staff/schema';
import { Badge } from '../ui/badge';
import { SectionHeading } from '../ui/section-heading';
import { Time } from '../ui/time';
import styles from './staff-detail.module.scss';

/** Something that is known of what a page of staff shows. */
export type StaffFact = { title: string; value: StaffCell | ReactNode };

type StaffDetailProps = {
  title: string;
  facts: readonly StaffFact[];
  timeZone: string;
  /** What can be done, each a StaffForm. */
  actions?: ReactNode;
  children?: ReactNode;
};

const isMoment = (value: unknown): value is { at: string | null } =>
  typeof value === 'object' && value !== null && 'at' in value;
const isState = (value: unknown): value is Extract<StaffCell, { state: string }> =>
  typeof value === 'object' && value !== null && 'state' in value;

function shown(value: StaffFact['value'], timeZone: string): ReactNode {
  if (value === null) return '–';
  if (isState(value)) return <Badge tone={value.tone}>{value.state}</Badge>;
  if (isMoment(value))
    return value.at === null ? (
      'Never'
    ) : (
      <Time dateTime={value.at}>{formatDate(value.at, { timeZone, style: 'day-time' })}</Time>
    );
  return value;
}

/** Product §11: the one pattern of a page about one thing: what is known of it, what can be done, and what stands below. */
export function StaffDetail({ title, facts, timeZone, actions, children }: StaffDetailProps) {
  return (
    <>
      <h1>{title}</h1>
      <dl className={styles.facts}>
        {facts.map((fact) => (
          <Fragment key={fact.title}>
            <dt>{fact.title}</dt>
            <dd>{shown(fact.value, timeZone)}</dd>
          </Fragment>
        ))}
      </dl>
      {actions && (
        <section className={styles.actions}>
          <SectionHeading>What you can do</SectionHeading>
          {actions}
        </section>
      )}
      {children}
    </>
  );
}
