import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { readAmount } from '@/lib/bet-slip/rules/plan';
import { priceOf, type SlipLeg } from '@/lib/bet-slip/rules/slip';
import type { BetInput } from '@/lib/bet-slip/schema';
import { formatDate, formatOdds } from '@/lib/format';
import { readOdds } from '@/lib/odds/rules/read-odds';
import { type Currency, CurrencyId } from '@/lib/reference/schema/currencies';
import type { OddsDisplay } from '@/lib/reference/schema/enumerations';
import { routes } from '@/lib/routes';
import { FormStack } from '../account/form-stack';
import { unitOf } from '../account/unit-of';
import { type FieldText, useForm } from '../account/use-form';
import { api } from '../state/api';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import { Select } from '../ui/select';

export type TookThisFormProps = {
  tip: { portfolioReference: string; portfolioName: string; reference: string };
  legs: readonly SlipLeg[];
  eachWay: boolean;
  bookmakers: readonly { id: number; name: string }[];
  currencies: readonly Currency[];
  oddsDisplay: OddsDisplay;
  timeZone: string;
};

const elsewhere = 0;

/** A refusal that names its fields, as `useForm` shows it. */
const refused = (fields: Record<string, string>) => Object.assign(new Error('Correct what is marked.'), { fields });

/** The moment as a field for a date and a time has it, on this device's clock. */
function localNow(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A bet on a tip's selections that was placed elsewhere: at whatever price, bookmaker, stake and time. */
export function TookThisForm({ tip, legs, eachWay, bookmakers, currencies, oddsDisplay, timeZone }: TookThisFormProps) {
  const router = useRouter();
  const [attempt] = useState(() => new Attempt());
  const [first] = legs;
  const [bookmakerId, setBookmakerId] = useState(first?.bookmakerId ?? elsewhere);
  const [isKept, setKept] = useState(false);
  const [latest] = useState(localNow);

  const { form, problem, isSending } = useForm(async (text) => {
    setKept(false);
    const input = inputFrom(text, { tip, legs, bookmakerId, currencies, oddsDisplay });
    await api('POST /user/bets', { body: input, idempotencyKey: attempt.keyFor(input) });
    attempt.end();
    setKept(true);
    router.refresh();
  });

  return (
    <FormStack {...form}>
      {isKept && <FormMessage kind="success">The bet is in your record, below.</FormMessage>}
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      {legs.map((leg, index) => (
        <Field
          key={leg.selectionId}
          name={`price-${index}`}
          label={`I took ${leg.selectionName} at`}
          hint={`${leg.marketName}, ${leg.fixtureName}, ${formatDate(leg.startsAt, { timeZone, style: 'day-time' })}`}
          defaultValue={formatOdds(priceOf(leg), oddsDisplay)}
          required
          data-missing="Write the price that you took."
          autoComplete="off"
          error={problem.fields[`price-${index}`]}
        />
      ))}
      <Select
        name="bookmaker"
        label="Bookmaker"
        value={bookmakerId}
        choices={[
          ...bookmakers.map(({ id, name }) => ({ value: id, title: name })),
          { value: elsewhere, title: 'Another bookmaker' },
        ]}
        onChange={({ currentTarget }) => setBookmakerId(Number(currentTarget.value))}
      />
      {bookmakerId === elsewhere && (
        <Field
          name="bookmakerName"
          label="Name of the bookmaker"
          maxLength={60}
          required
          data-missing="Name the bookmaker."
          autoComplete="off"
          error={problem.fields.bookmakerName}
        />
      )}
      <Field
        name="stake"
        label="Stake"
        inputMode="decimal"
        defaultValue="1"
        required
        data-missing="Write what you staked."
        autoComplete="off"
        error={problem.fields.stake ?? problem.fields.stakeMinor}
      />
      {currencies.length > 1 && (
        <Select
          name="currency"
          label="in"
          defaultValue={currencies[0]?.id}
          choices={currencies.map((currency) => ({
            value: currency.id,
            title: currency.id === CurrencyId.UNITS ? 'units' : `${currency.name} (${unitOf(currency)})`,
          }))}
        />
      )}
      {eachWay && <FieldCheck name="eachWay" label="Each-way, the stake on each part" defaultChecked />}
      <Field
        name="takenAt"
        type="datetime-local"
        label="Taken at"
        hint="By the clock of this device. Only bets taken before the start are recorded; one that is entered later is marked so."
        defaultValue={latest}
        required
        data-missing="Say when you took it."
        error={problem.fields.takenAt}
      />
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Recording…' : 'Record my bet'}
      </Button>
      <p>
        On the tip of <a href={routes.tip(tip.portfolioReference, tip.reference)}>{tip.portfolioName}</a>. Nobody but
        you sees your bets.
      </p>
    </FormStack>
  );
}

type Chosen = Pick<TookThisFormProps, 'tip' | 'legs' | 'currencies' | 'oddsDisplay'> & { bookmakerId: number };

function inputFrom(text: FieldText, { tip, legs, bookmakerId, currencies, oddsDisplay }: Chosen): BetInput {
  const currency = currencies.find(({ id }) => String(id) === text('currency')) ?? currencies[0];
  const problems: Record<string, string> = {};
  const taken = legs.flatMap(({ fixtureReference, selectionId }, index) => {
    const read = readOdds(text(`price-${index}`), oddsDisplay);
    if (!read.ok) problems[`price-${index}`] = read.problem;
    return read.ok ? [{ fixtureReference, selectionId, bookmakerId: bookmakerId || null, price: read.price }] : [];
  });
  const stakeMinor = readAmount(text('stake'), currency?.minorDigits ?? 2);
  if (!stakeMinor)
    problems.stake =
      currency?.minorDigits === 0 ? 'Write a whole number, such as 500.' : 'Write an amount such as 12.50.';
  const takenAt = new Date(text('takenAt'));
  if (Number.isNaN(takenAt.getTime())) problems.takenAt = 'Write a date and a time.';
  if (Object.keys(problems).length > 0) throw refused(problems);
  return {
    legs: taken,
    stakeMinor: stakeMinor ?? 0,
    currencyId: currency?.id ?? CurrencyId.UNITS,
    eachWay: text('eachWay') === 'true',
    takenAt: takenAt.toISOString(),
    bookmakerName: bookmakerId ? null : text('bookmakerName').trim(),
    tip: { portfolioReference: tip.portfolioReference, reference: tip.reference },
  };
}
