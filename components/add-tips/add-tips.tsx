import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { priceOf } from '@/lib/bets/rules';
import { formatDate, formatOdds, formatUnits } from '@/lib/format';
import type { OwnPortfolio } from '@/lib/portfolios/schema';
import { routes } from '@/lib/routes';
import { termsText } from '@/lib/settlement/rules';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';
import { type ModalProps, openModal } from '../state/modals';
import { OpenToAll } from '../ui/open-to-all';
import { currentPortfolioAtom } from '../state/preferences';
import { viewerAtom } from '../state/viewer';
import { Button } from '../ui/button';
import { ButtonLink } from '../ui/button-link';
import { Field } from '../ui/field';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import { MinPriceField } from '../ui/min-price-field';
import { Select } from '../ui/select';
import { TextArea } from '../ui/text-area';
import { formatsOf } from '../formats/formats';
import styles from './add-tips.module.scss';
import { leastUnits, longestAnalysis, mostUnits, PortfolioKind } from './limits';
import { MovedPriceNotice } from './moved-price';
import { PublishedTip } from './published-tip';
import { stakeHundredthsOf, type TipInHand, useTip } from './use-tip';

type AddTipsProps = ModalProps['add tips'] & { onClose: () => void };

/** Spec §2.5: a tip on the price that was chosen, to be published in one of the member's portfolios. */
export function AddTips({ leg, draft, onClose }: AddTipsProps) {
  const viewer = useAtomValue(viewerAtom);
  const [portfolios] = useState(() => (viewer.kind === 'member' ? viewer.portfolios : []));
  const current = viewer.kind === 'member' ? viewer.currentPortfolio : null;
  const portfolio =
    portfolios.find(({ reference }) => reference === (draft?.form.portfolioReference ?? current)) ?? portfolios[0];
  if (!portfolio) return <p>Create a portfolio first: tips are published in one.</p>;
  const fresh = {
    portfolioReference: portfolio.reference,
    stake: String(portfolio.defaultTipStake),
    eachWay: false,
    analysis: '',
    membersOnly: false,
    hidden: false,
    minPrice: '',
  };
  return (
    <TipOn
      leg={leg}
      first={{
        form: { ...(draft?.form ?? fresh), portfolioReference: portfolio.reference },
        unanswered: draft?.unanswered ?? null,
      }}
      portfolios={portfolios}
      onClose={onClose}
    />
  );
}

type TipOnProps = Pick<AddTipsProps, 'leg' | 'onClose'> & {
  first: NonNullable<AddTipsProps['draft']>;
  portfolios: readonly OwnPortfolio[];
};

function TipOn({ leg: chosen, first, portfolios, onClose }: TipOnProps) {
  const tip = useTip(chosen, first, onClose);
  const portfolio = portfolios.find(({ reference }) => reference === tip.form.portfolioReference) ?? portfolios[0];
  if (!portfolio) return null;
  if (tip.published)
    return <PublishedTip leg={tip.leg} portfolio={portfolio} reference={tip.published} onClose={onClose} />;
  if (tip.hasStarted) return <Started tip={tip} />;
  return <TipFields tip={tip} portfolio={portfolio} portfolios={portfolios} />;
}

function Started({ tip: { leg, drop } }: { tip: TipInHand }) {
  return (
    <div className={styles.started}>
      <FormMessage kind="error">
        {leg.fixtureName} has started, so you can no longer tip on it. Nothing was published.
      </FormMessage>
      <div className={styles.actions}>
        <ButtonLink href={routes.addTips(leg.sportReference)}>Choose another fixture</ButtonLink>
        <Button look="secondary" onClick={drop}>
          Close
        </Button>
      </div>
    </div>
  );
}

function TipFields({
  tip,
  portfolio,
  portfolios,
}: {
  tip: TipInHand;
  portfolio: OwnPortfolio;
  portfolios: readonly OwnPortfolio[];
}) {
  const { form: typed, leg, move, isUnsure, change, take, close, drop } = tip;
  const setCurrent = useSetAtom(currentPortfolioAtom);
  const { oddsDisplay } = formatsOf(useAtomValue(viewerAtom));
  const { form, problem, isSending } = useForm(() => tip.publish());
  return (
    <FormStack {...form} aria-busy={isSending}>
      <Leg tip={tip} />
      {move && (
        <MovedPriceNotice
          move={move}
          isUnsure={isUnsure}
          onTake={take}
          onDrop={drop}
          onOther={() => changeBookmaker(tip)}
        />
      )}
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      {portfolios.length > 1 && (
        <Select
          name="portfolio"
          label="Portfolio"
          choices={portfolios.map(({ reference, name }) => ({ value: reference, title: name }))}
          value={portfolio.reference}
          onChange={({ target: { value } }) => {
            change({ portfolioReference: value, membersOnly: false });
            void setCurrent(value);
          }}
        />
      )}
      <Field
        name="stakeHundredths"
        type="number"
        label="Stake in units"
        inputMode="decimal"
        min={leastUnits}
        max={mostUnits}
        step={0.01}
        required
        data-missing="Enter a stake."
        data-mismatch={`Enter a stake from ${leastUnits} to ${mostUnits} units with two decimal places at most.`}
        value={typed.stake}
        onChange={({ target: { value } }) => change({ stake: value })}
        error={problem.fields.stakeHundredths}
      />
      <MinPriceField
        display={oddsDisplay}
        value={typed.minPrice}
        onChange={(minPrice) => change({ minPrice })}
        error={problem.fields.minPrice}
      />
      {leg.eachWay && (
        <FieldCheck
          name="eachWay"
          label={`Each-way: ${termsText(leg.eachWay)}; ${eachWayStake(typed.stake)}`}
          checked={typed.eachWay}
          onChange={({ target: { checked } }) => change({ eachWay: checked })}
        />
      )}
      <TextArea
        name="analysis"
        label="Analysis"
        hint="Why you like it. Optional; it can’t be changed later."
        maxLength={longestAnalysis}
        value={typed.analysis}
        onChange={({ target: { value } }) => change({ analysis: value })}
        error={problem.fields.analysis}
      />
      {portfolio.type === PortfolioKind.premium && !portfolio.sells && <OpenToAll portfolio={portfolio.reference} />}
      {portfolio.sells && (
        <FieldCheck
          name="membersOnly"
          label="For members only until the start"
          checked={typed.membersOnly}
          onChange={({ target: { checked } }) => change({ membersOnly: checked })}
        />
      )}
      {portfolio.type !== PortfolioKind.personal && (
        <FieldCheck
          name="hidden"
          label={portfolio.sells ? 'Hide it from everyone except members until the start' : 'Hide it until the start'}
          checked={typed.hidden}
          onChange={({ target: { checked } }) => change({ hidden: checked })}
        />
      )}
      <div className={styles.actions}>
        <Button type="submit" disabled={isSending || (move !== null && !isUnsure)}>
          {isSending ? 'Publishing…' : `Publish in ${portfolio.name}`}
        </Button>
        <Button look="secondary" onClick={close}>
          Not now
        </Button>
      </div>
      <p className={styles.forever}>Once published, its price, stake and time can never be changed or deleted.</p>
    </FormStack>
  );
}

function Leg({ tip }: { tip: TipInHand }) {
  const viewer = useAtomValue(viewerAtom);
  const { timeZone, oddsDisplay } = formatsOf(viewer);
  const { leg, move } = tip;
  return (
    <div className={styles.leg}>
      <p className={styles.selection}>{leg.selectionName}</p>
      <p className={styles.facts}>
        {leg.marketName} · {leg.fixtureName} · {formatDate(leg.startsAt, { timeZone, style: 'day-time' })}
      </p>
      <p className={styles.price}>
        <Struck when={move !== null}>{formatOdds(priceOf(leg), oddsDisplay)}</Struck>{' '}
        <span className={styles.bookmaker}>at {leg.bookmakerName}</span>
      </p>
      <p className={styles.more}>
        <Button look="quiet" size="small" onClick={() => changeBookmaker(tip)}>
          Change bookmaker
        </Button>
        <Button
          look="quiet"
          size="small"
          onClick={() =>
            openModal('historical odds', {
              fixtureReference: leg.fixtureReference,
              selectionId: leg.selectionId,
              purpose: 'addTips',
            })
          }
        >
          Price history
        </Button>
      </p>
    </div>
  );
}

const Struck = ({ when, children }: { when: boolean; children: ReactNode }) =>
  when ? <s>{children}</s> : <strong>{children}</strong>;

const changeBookmaker = ({ leg, take }: TipInHand) => openModal('change bookmaker', { leg, onChoose: take });

/** Settlement §4: each of the two parts takes the whole stake. */
function eachWayStake(stake: string): string {
  const hundredths = stakeHundredthsOf(stake);
  return Number.isFinite(hundredths) ? `${formatUnits(2 * hundredths)} units in all` : 'twice the stake in all';
}
