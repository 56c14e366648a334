import type { ReactNode } from 'react';
import { formatAmount } from '@/lib/amounts';
import { formatUnits } from '@/lib/format';
import { routes } from '@/lib/routes';
import type { Effects } from '@/lib/rulings/schema';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import styles from './effects-table.module.scss';

type TipState = Effects['tips'][number]['before'];

const units = (hundredths: number) => formatUnits(hundredths, { sign: true });
const stateText = (state: TipState) => (state === null ? 'open' : `${state.outcome}, ${units(state.profitHundredths)}`);
const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

const kindWords: Partial<Record<Effects['news'][number]['kind'], string>> = {
  settlement: 'A tip was settled',
  correction: 'A settlement was corrected',
  'fixture-result': 'A result of a watched fixture',
};
const wayWords: Readonly<Record<string, string>> = {
  app: 'in the app',
  email: 'by e-mail',
  push: 'by push',
  telegram: 'by Telegram',
};

type EffectsTableProps = { caption: string; heads: readonly string[]; children: ReactNode };

function Effected({ caption, heads, children }: EffectsTableProps) {
  return (
    <Table caption={caption} narrow="stack">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </Table>
  );
}

function Tips({ tips, left }: { tips: Effects['tips']; left: number }) {
  return (
    <>
      <Effected caption="Tips" heads={['Tip', 'Now', 'Then']}>
        {tips.map(({ reference, portfolioName, bet, before, after, toCome }) => (
          <tr key={reference}>
            <th scope="row">
              <SiteLink href={routes.staff('tips', { id: reference })}>{bet}</SiteLink>
              <span className={styles.whose}>{portfolioName}</span>
            </th>
            <td data-label="Now">{stateText(before)}</td>
            <td data-label="Then">
              {stateText(after)}
              {toCome && <span className={styles.later}>{toCome}</span>}
            </td>
          </tr>
        ))}
      </Effected>
      {left > 0 && <p>And {counted(left, 'more tip')} that are not named here.</p>}
    </>
  );
}

function Records({ records, left }: { records: Effects['records']; left: number }) {
  return (
    <>
      {records.map(({ portfolio, name, figures }) => (
        <Effected key={portfolio} caption={`Record of ${name}, all time`} heads={['Figure', 'Now', 'Then']}>
          {figures.map((figure) => (
            <tr key={figure.name}>
              <th scope="row">{figure.name}</th>
              <td data-label="Now">{figure.before ?? '–'}</td>
              <td data-label="Then">{figure.after ?? '–'}</td>
            </tr>
          ))}
        </Effected>
      ))}
      {left > 0 && <p>And {counted(left, 'more record')} that are not shown here.</p>}
    </>
  );
}

function Bets({ bets }: { bets: Effects['bets'] }) {
  return (
    <Effected caption="Members’ own bets" heads={['Bets', 'Profit now', 'Profit then']}>
      {bets.map(({ currencyId, before, after, count, profitMinorBefore, profitMinorAfter }) => {
        return (
          <tr key={`${currencyId} ${before} ${after}`}>
            <th scope="row">
              {counted(count, 'bet')}: {before ?? 'open'} → {after}
            </th>
            <td data-label="Profit now">{formatAmount(profitMinorBefore, currencyId)}</td>
            <td data-label="Profit then">{formatAmount(profitMinorAfter, currencyId)}</td>
          </tr>
        );
      })}
    </Effected>
  );
}

function Guarantees({ guarantees }: { guarantees: Effects['guarantees'] }) {
  return (
    <Effected
      caption="Periods sold with a guarantee"
      heads={['Portfolio', 'Kept now, then missed', 'Missed now, then kept']}
    >
      {guarantees.map(({ portfolio, name, missed, kept }) => (
        <tr key={portfolio}>
          <th scope="row">
            <SiteLink href={routes.staff('portfolios', { id: portfolio })}>{name}</SiteLink>
          </th>
          <td data-label="Kept now, then missed">{counted(missed, 'member')}</td>
          <td data-label="Missed now, then kept">{counted(kept, 'member')}</td>
        </tr>
      ))}
    </Effected>
  );
}

function News({ news }: { news: Effects['news'] }) {
  return (
    <Effected caption="Who is told" heads={['News', 'People', 'How']}>
      {news.map(({ kind, events, people, ways }) => (
        <tr key={kind}>
          <th scope="row">
            {kindWords[kind] ?? kind}
            <span className={styles.whose}>{counted(events, 'time')}</span>
          </th>
          <td data-label="People">{people}</td>
          <td data-label="How">
            {ways.length === 0
              ? 'Nobody follows it, or wants to hear of it'
              : ways.map(({ channel, people: reached }) => `${reached} ${wayWords[channel] ?? channel}`).join(', ')}
          </td>
        </tr>
      ))}
    </Effected>
  );
}

/** What stays as it is, in a sentence; null where everything that is touched changes. */
function stayText({ same, open, byStaff }: Effects['stay']): string | null {
  const parts = [
    same > 0 && `${counted(same, 'settled tip')} ${same === 1 ? 'comes' : 'come'} to the same`,
    open > 0 && `${counted(open, 'tip')} ${open === 1 ? 'waits' : 'wait'} for something else`,
    byStaff > 0 && `${counted(byStaff, 'tip')} ${byStaff === 1 ? 'stands' : 'stand'} as staff decided`,
  ].filter(Boolean);
  return parts.length === 0 ? null : `${parts.join('; ')}.`;
}

/** Product §11: what becomes of the tips, records, bets and guarantees that a ruling touches, and who is told. */
export function EffectsTable({ effects }: { effects: Effects }) {
  const { tips, records, bets, guarantees, news, stay, left, notLooked } = effects;
  const stays = stayText(stay);
  return (
    <div className={styles.effects}>
      {tips.length > 0 ? <Tips tips={tips} left={left.tips} /> : <p>No tip changes.</p>}
      {stays && <p>{stays}</p>}
      {notLooked.tips > 0 && (
        <p>
          {counted(notLooked.tips, 'more tip')} on the fixture were not looked at: they are settled by the same rules.
        </p>
      )}
      {records.length > 0 && <Records records={records} left={left.records} />}
      {bets.length > 0 && <Bets bets={bets} />}
      {notLooked.bets > 0 && <p>{counted(notLooked.bets, 'more bet')} of members were not looked at.</p>}
      {guarantees.length > 0 && <Guarantees guarantees={guarantees} />}
      {news.length > 0 && <News news={news} />}
    </div>
  );
}
