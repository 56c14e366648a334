import { useAtomValue } from 'jotai';
import { useEffect, useRef } from 'react';
import { atPrice, returnsOf, type SlipLeg, stakeField } from '@/lib/bets/rules';
import { multipleName } from '@/lib/odds/rules';
import { maxSlipLegs } from '@/lib/bets/schema';
import { formatCount, formatMoney, formatTotalOdds } from '@/lib/format';
import { unitOf } from '../ui/unit-of';
import { clearSlip, editSlip, loadSlip, removeFromSlip, repriceInSlip } from '../state/bet-slip';
import { isOnlineAtom } from '../state/connection';
import { openModal } from '../state/modals';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import { formatsOf } from '../formats/formats';
import styles from './bet-slip.module.scss';
import { SlipBelow } from './slip-below';
import { SlipEmpty } from './slip-empty';
import { SlipLegRow } from './slip-leg';
import { SlipPlaced } from './slip-placed';
import { SlipTarget } from './slip-target';
import { signInFirst, type SlipForm, type SlipViewer, useSlipForm } from './use-slip-form';

type SlipSheetProps = { viewer: SlipViewer; onClose?: () => void };

/** The slip: its legs, its stakes, where it goes and what it comes to; a guest's goes on with the login. */
export function SlipSheet({ viewer, onClose }: SlipSheetProps) {
  const form = useSlipForm(viewer);
  const isOnline = useAtomValue(isOnlineAtom);
  const { slip, prices, placed, word } = form;

  useEffect(() => void loadSlip(), []);

  const news = (
    <>
      {prices.dropped.length > 0 && (
        <p role="status" className={styles.word}>
          {prices.dropped
            .map(({ selectionName, fixtureName }) => `${selectionName} was removed: ${fixtureName} has started.`)
            .join(' ')}
        </p>
      )}
      {prices.winOnly.length > 0 && (
        <p role="status" className={styles.word}>
          {prices.winOnly
            .map(({ selectionName }) => `${selectionName} can no longer be backed each-way: it is to win only now.`)
            .join(' ')}
        </p>
      )}
      <SlipPlaced placed={placed} />
      {word && <FormMessage kind="error">{word}</FormMessage>}
    </>
  );
  if (slip.legs.length === 0) {
    return (
      <div className={styles.slip}>
        {news}
        <SlipEmpty hasPlaced={placed.length > 0} {...(onClose && { onClose })} />
      </div>
    );
  }
  return (
    <form
      className={styles.slip}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.place();
      }}
    >
      {news}
      <SlipMode form={form} />
      <SlipLegs form={form} viewer={viewer} />
      <SlipBelow form={form} display={formatsOf(viewer).oddsDisplay} />
      {form.problems.legs && <FormMessage kind="error">{form.problems.legs}</FormMessage>}
      <SlipStakes form={form} />
      {viewer.kind === 'member' && <SlipTarget form={form} viewer={viewer} />}
      <SlipTotals form={form} viewer={viewer} />
      {viewer.kind === 'guest' && (
        <p className={styles.word}>
          With an account your bets are settled for you, and you see your profit and yield by sport and month. Nobody
          else sees them. It is free.
        </p>
      )}
      <div className={styles.actions}>
        {viewer.kind === 'guest' ? (
          <Button onClick={signInFirst}>Log in to record</Button>
        ) : (
          <Button type="submit" disabled={!isOnline || form.isPlacing || form.areMoved}>
            {form.isPlacing
              ? 'Recording…'
              : form.choice.as === 'tips'
                ? `Publish ${formatCount(form.plan.bets.length, 'tip', 'tips')}`
                : `Record ${formatCount(form.plan.bets.length, 'bet', 'bets')}`}
          </Button>
        )}
        <Button look="quiet" disabled={form.isPlacing} onClick={clearSlip}>
          Clear slip
        </Button>
      </div>
      <p role="status" className={styles.word}>
        {!isOnline
          ? 'You are offline. Your slip is kept on this device; you can record it once you are back online.'
          : form.areMoved
            ? 'Accept or remove the prices that moved first.'
            : ''}
      </p>
    </form>
  );
}

function SlipMode({ form: { slip } }: { form: SlipForm }) {
  const modes = [
    { mode: 'singles', title: formatCount(slip.legs.length, 'single', 'singles') },
    { mode: 'accumulator', title: slip.legs.length > 1 ? multipleName(slip.legs.length) : 'Accumulator' },
  ] as const;
  return (
    <fieldset className={styles.choice}>
      <legend>
        {slip.legs.length} of {maxSlipLegs} selections
      </legend>
      {slip.legs.length > 1 &&
        modes.map(({ mode, title }) => (
          <label key={mode}>
            <input
              type="radio"
              name="slip-mode"
              checked={slip.mode === mode}
              onChange={() => void editSlip((all) => ({ ...all, mode }))}
            />{' '}
            {title}
          </label>
        ))}
    </fieldset>
  );
}

const isAccumulator = ({ slip }: SlipForm) => slip.mode === 'accumulator' && slip.legs.length > 1;

function SlipLegs({ form, viewer }: { form: SlipForm; viewer: SlipViewer }) {
  const { slip, isLevel, currency, problems } = form;
  const list = useRef<HTMLUListElement>(null);
  const formats = formatsOf(viewer);
  const setEachWay = ({ selectionId }: SlipLeg, isTaken: boolean) =>
    void editSlip((all) => ({
      ...all,
      eachWay: isTaken ? [...all.eachWay, selectionId] : all.eachWay.filter((id) => id !== selectionId),
    }));
  return (
    <ul className={styles.legs} aria-label="Selections" ref={list} tabIndex={-1}>
      {slip.legs.map((leg) => (
        <SlipLegRow
          key={leg.selectionId}
          leg={leg}
          state={form.stateOfLeg(leg)}
          formats={formats}
          stake={
            isLevel || isAccumulator(form)
              ? null
              : {
                  name: stakeField(leg.selectionId),
                  unit: unitOf(currency),
                  text: slip.ownStakes[leg.selectionId] ?? slip.stake,
                  problem: problems[stakeField(leg.selectionId)],
                  onChange: (text) =>
                    void editSlip((all) => ({ ...all, ownStakes: { ...all.ownStakes, [leg.selectionId]: text } })),
                }
          }
          eachWay={
            leg.eachWay && !isAccumulator(form)
              ? { isTaken: slip.eachWay.includes(leg.selectionId), onChange: (isTaken) => setEachWay(leg, isTaken) }
              : null
          }
          onAccept={(price) => repriceInSlip(atPrice(leg, price))}
          onChangeBookmaker={
            form.isTipster ? () => openModal('change bookmaker', { leg, onChoose: repriceInSlip }) : null
          }
          onDrop={() => {
            removeFromSlip(leg.selectionId);
            // The button that was pressed is gone.
            list.current?.focus();
          }}
        />
      ))}
    </ul>
  );
}

function SlipStakes({ form }: { form: SlipForm }) {
  const { slip, isLevel, currency, problems } = form;
  const isOne = isAccumulator(form);
  const canBeEachWay = isOne && slip.legs.every(({ eachWay }) => eachWay !== null);
  const ids = slip.legs.map(({ selectionId }) => selectionId);
  return (
    <div className={styles.stakes}>
      {(isLevel || isOne) && (
        <Field
          name="stake"
          label={`Stake${isOne || slip.legs.length === 1 ? '' : ' on each'} in ${unitOf(currency)}`}
          inputMode="decimal"
          autoComplete="off"
          value={slip.stake}
          error={problems.stake}
          onChange={({ currentTarget: { value } }) => void editSlip((all) => ({ ...all, stake: value }))}
        />
      )}
      {!isOne && slip.legs.length > 1 && (
        <FieldCheck
          name="level"
          label="The same stake on each"
          checked={isLevel}
          onChange={({ currentTarget }) => void form.setLevel(currentTarget.checked)}
        />
      )}
      {canBeEachWay && (
        <FieldCheck
          name="each-way"
          label="Each-way: two bets at this stake, one for all legs to win, one for all to place"
          checked={ids.every((id) => slip.eachWay.includes(id))}
          onChange={({ currentTarget: { checked } }) =>
            void editSlip((all) => ({ ...all, eachWay: checked ? ids : [] }))
          }
        />
      )}
    </div>
  );
}

function SlipTotals({ form, viewer }: { form: SlipForm; viewer: SlipViewer }) {
  const { plan, currency } = form;
  const returns = plan.bets.map(returnsOf);
  const money = (minor: number) => formatMoney({ minor, currency: currency.code });
  const sum = (of: (each: (typeof returns)[number]) => number) => returns.reduce((total, each) => total + of(each), 0);
  const isKnown = Object.keys(plan.problems).every((name) => name === 'legs' || name === 'minPrice');
  return (
    <dl className={styles.totals}>
      {isAccumulator(form) && (
        <div>
          <dt>Total odds</dt>
          <dd>{formatTotalOdds(returns[0]?.totalOddsThousandths ?? 1000, formatsOf(viewer).oddsDisplay)}</dd>
        </div>
      )}
      <div>
        <dt>Total stake</dt>
        <dd>{isKnown ? money(sum(({ stakedMinor }) => stakedMinor)) : '–'}</dd>
      </div>
      <div>
        <dt>{plan.bets.length > 1 ? 'Returns if all win' : 'Potential returns'}</dt>
        <dd>{isKnown ? money(sum(({ returnMinor }) => returnMinor)) : '–'}</dd>
      </div>
    </dl>
  );
}
