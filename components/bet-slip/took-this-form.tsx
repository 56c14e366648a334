import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { priceOf, readAmount, type SlipLeg } from '@/lib/bets/rules';
import type { BetInput } from '@/lib/bets/schema';
import { formatDate } from '@/lib/format';
import { readOdds, writeOdds } from '@/lib/odds/rules';
import { type Currency, CurrencyId, type OddsDisplay } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { FormStack } from '../ui/form-stack';
import { unitOf } from '../ui/unit-of';
import { type FieldText, useForm } from '../ui/use-form';
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
const refused = (fields: Record<string, string>) => Object.assign(new Error('Check the marked fields.'), { fields });

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
  const [kept, setKept] = useState<string | null>(null);
  const [latest] = useState(localNow);

  const { form, problem, isSending, isAlive } = useForm(async (text) => {
    setKept(null);
    const input = inputFrom(text, { tip, legs, bookmakerId, currencies, oddsDisplay });
    const { reference } = await api('POST /user/bets', { body: input, idempotencyKey: attempt.keyFor(input) });
    setKept(reference);
    router.refresh();
  });

  return (
    <FormStack {...form} onChange={() => kept && attempt.end()}>
      {kept && (
        <FormMessage kind="success">
          Your bet is in your record: <a href={routes.bet(kept)}>show it</a>.
        </FormMessage>
      )}
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      {legs.map((leg, index) => (
        <Field
          key={leg.selectionId}
          name={`price-${index}`}
          label={`My price: ${leg.selectionName}`}
          hint={`${leg.marketName}, ${leg.fixtureName}, ${formatDate(leg.startsAt, { timeZone, style: 'day-time' })}`}
          defaultValue={writeOdds(priceOf(leg), oddsDisplay)}
          required
          data-missing="Enter the price you took."
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
          label="Bookmaker’s name"
          maxLength={60}
          required
          data-missing="Enter the bookmaker."
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
        data-missing="Enter your stake."
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
        label="Placed at"
        hint="Your device’s time. Only bets placed before the start are recorded; one entered after the start is marked."
        defaultValue={latest}
        required
        data-missing="Enter when you placed it."
        error={problem.fields.takenAt}
      />
      <Button type="submit" disabled={isSending || !isAlive}>
        {isSending ? 'Recording…' : 'Record my bet'}
      </Button>
      <p>
        On a tip by <a href={routes.tip(tip.portfolioReference, tip.reference)}>{tip.portfolioName}</a>. Only you see
        your bets.
      </p>
    </FormStack>
  );
}

type Chosen = Pick<TookThisFormProps, 'tip' | 'legs' | 'currencies' | 'oddsDisplay'> & { bookmakerId: number };

function inputFrom(text: FieldText, { tip, legs, bookmakerId, currencies, oddsDisplay }: Chosen): BetInput {
  const currency = currencies.find(({ id }) => String(id) === text('currency')) ?? currencies[0];
  const problems: Record<string, string> = {};
  const taken = legs.flatMap((leg, index) => {
    const { fixtureReference, selectionId } = leg;
    const typed = text(`price-${index}`);
    // Left as it stood there, it is the tip's own price, which another display does not tell exactly.
    const read =
      typed === writeOdds(priceOf(leg), oddsDisplay)
        ? { ok: true as const, price: priceOf(leg) }
        : readOdds(typed, oddsDisplay);
    if (!read.ok) problems[`price-${index}`] = read.problem;
    return read.ok ? [{ fixtureReference, selectionId, bookmakerId: bookmakerId || null, price: read.price }] : [];
  });
  const stakeMinor = readAmount(text('stake'), currency?.minorDigits ?? 2);
  if (!stakeMinor)
    problems.stake =
      currency?.minorDigits === 0 ? 'Enter a whole number, such as 500.' : 'Enter an amount such as 12.50.';
  const takenAt = new Date(text('takenAt'));
  if (Number.isNaN(takenAt.getTime())) problems.takenAt = 'Enter a date and a time.';
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
