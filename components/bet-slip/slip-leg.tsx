import { X } from 'lucide-react';
import { isPlaceable, type LegState, priceOf, type SlipLeg } from '@/lib/bets/rules';
import { formatDate, formatMove, formatOdds } from '@/lib/format';
import type { Price } from '@/lib/odds/schema';
import { routes } from '@/lib/routes';
import { termsText } from '@/lib/settlement/rules';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FieldCheck } from '../ui/field-check';
import { Icon } from '../ui/icon';
import { SiteLink } from '../ui/site-link';
import { singlePress } from '../ui/single-press';
import { Time } from '../ui/time';
import { VisuallyHidden } from '../ui/visually-hidden';
import type { Formats } from '../formats/formats';
import styles from './slip-leg.module.scss';

/** A stake of its own: what was typed, and why it cannot be placed. */
type OwnStake = {
  name: string;
  unit: string;
  text: string;
  problem: string | undefined;
  onChange: (text: string) => void;
};

type SlipLegRowProps = {
  leg: SlipLeg;
  state: LegState;
  formats: Formats;
  stake: OwnStake | null;
  eachWay: { isTaken: boolean; onChange: (isTaken: boolean) => void } | null;
  onAccept: (price: Price) => void;
  /** Null where there is no choosing another. */
  onChangeBookmaker: (() => void) | null;
  onDrop: () => void;
};

/** A selection in the slip: what it is on, at which price, what has become of that, and the ways out. */
export function SlipLegRow({
  leg,
  state,
  formats,
  stake,
  eachWay,
  onAccept,
  onChangeBookmaker,
  onDrop,
}: SlipLegRowProps) {
  const { oddsDisplay, timeZone } = formats;
  return (
    <li className={styles.leg}>
      <div className={styles.what}>
        <p className={styles.selection}>{leg.selectionName}</p>
        <p className={styles.facts}>
          {leg.marketName} · <SiteLink href={routes.fixture(leg.fixtureReference)}>{leg.fixtureName}</SiteLink>
        </p>
        <p className={styles.when}>
          <Time dateTime={leg.startsAt}>{formatDate(leg.startsAt, { timeZone, style: 'day-time' })}</Time>
          {onChangeBookmaker && !ofNobody.includes(state.kind) && (
            <Button look="quiet" size="small" aria-haspopup="dialog" onClick={onChangeBookmaker}>
              Change bookmaker<VisuallyHidden> for {leg.selectionName}</VisuallyHidden>
            </Button>
          )}
        </p>
      </div>
      <p className={styles.price}>
        <strong>{formatOdds(priceOf(leg), oddsDisplay)}</strong>
        <span>{leg.bookmakerName}</span>
      </p>
      <Button look="quiet" size="small" aria-label={`Remove ${leg.selectionName}`} onClick={singlePress(onDrop)}>
        <Icon of={X} size="small" />
      </Button>
      {state.kind === 'moved' && (
        <Moved leg={leg} now={state.now} way={state.way} formats={formats} onAccept={onAccept} onDrop={onDrop} />
      )}
      {state.kind !== 'moved' && !isPlaceable(state) && (
        <div className={styles.notice}>
          <p>
            {state.kind === 'withdrawn' ? (
              <>
                {leg.bookmakerName} has withdrawn <s>{formatOdds(priceOf(leg), oddsDisplay)}</s>.
              </>
            ) : (
              notOffered(leg, state)
            )}
          </p>
          <Button look="secondary" size="small" onClick={singlePress(onDrop)}>
            Remove<VisuallyHidden> {leg.selectionName}</VisuallyHidden>
          </Button>
        </div>
      )}
      {(stake || eachWay) && (
        <div className={styles.stakes}>
          {stake && (
            <Field
              name={stake.name}
              label={
                <>
                  Stake<VisuallyHidden> on {leg.selectionName}</VisuallyHidden> in {stake.unit}
                </>
              }
              inputMode="decimal"
              autoComplete="off"
              value={stake.text}
              error={stake.problem}
              onChange={({ currentTarget }) => stake.onChange(currentTarget.value)}
            />
          )}
          {eachWay && leg.eachWay && (
            <FieldCheck
              name={`each-way-${leg.selectionId}`}
              label={
                <>
                  Each-way<VisuallyHidden> on {leg.selectionName}</VisuallyHidden>: {termsText(leg.eachWay)}
                </>
              }
              checked={eachWay.isTaken}
              onChange={({ currentTarget }) => eachWay.onChange(currentTarget.checked)}
            />
          )}
        </div>
      )}
    </li>
  );
}

/** What no other bookmaker offers either. */
const ofNobody: readonly LegState['kind'][] = ['nonRunner', 'switched', 'started'];

/** Why nobody offers a leg here at whatever price. */
function notOffered({ selectionName, fixtureName, bookmakerName }: SlipLeg, { kind }: LegState): string {
  if (kind === 'nonRunner') return `${selectionName} was withdrawn from ${fixtureName}.`;
  if (kind === 'switched')
    return `${fixtureName} is announced with home and away the other way round now, and bets on it are void.`;
  if (kind === 'started') return `${fixtureName} has started.`;
  return `${bookmakerName} isn’t available in your country.`;
}

type MovedProps = Pick<SlipLegRowProps, 'leg' | 'formats' | 'onAccept' | 'onDrop'> &
  Omit<Extract<LegState, { kind: 'moved' }>, 'kind'>;

function Moved({ leg, now, way, formats: { oddsDisplay }, onAccept, onDrop }: MovedProps) {
  const [old, fresh] = formatMove(priceOf(leg), now, oddsDisplay);
  return (
    <div className={styles.notice}>
      <p>
        <span aria-hidden="true">{way === 'longer' ? '▲' : '▼'}</span>{' '}
        {way === 'longer' ? 'The price is longer now' : 'The price is shorter now'}: <s>{old}</s> →{' '}
        <strong>{fresh}</strong>
      </p>
      <Button size="small" onClick={() => onAccept(now)}>
        Accept {fresh}
        <VisuallyHidden> for {leg.selectionName}</VisuallyHidden>
      </Button>
      <Button look="secondary" size="small" onClick={singlePress(onDrop)}>
        Remove<VisuallyHidden> {leg.selectionName}</VisuallyHidden>
      </Button>
    </div>
  );
}
