import { currencies, CurrencyId } from '@/lib/reference/schema';
import { OpenToAll } from '../ui/open-to-all';
import { unitOf } from '../ui/unit-of';
import { FieldCheck } from '../ui/field-check';
import { MinPriceField } from '../ui/min-price-field';
import { Select } from '../ui/select';
import { TextArea } from '../ui/text-area';
import { formatsOf } from '../formats/formats';
import styles from './bet-slip.module.scss';
import type { SlipForm, SlipViewer } from './use-slip-form';

/** Spec §3: the visibility of a portfolio for members. */
const premium = 2;

/** Where the bets go: into a portfolio as tips, with the words and ticks of a tip, or into one's own record in a currency. */
export function SlipTarget({ form, viewer }: { form: SlipForm; viewer: Extract<SlipViewer, { kind: 'member' }> }) {
  const { choice, choose, slip, write, isTipster, plan, problems } = form;
  const betCurrencies = [...new Set<CurrencyId>([viewer.settings.betCurrencyId, CurrencyId.UNITS])];
  const portfolio = viewer.portfolios.find(({ reference }) => reference === choice.portfolioReference);
  return (
    <div className={styles.target}>
      {isTipster && (
        <fieldset className={styles.choice}>
          <legend>Add as</legend>
          <label>
            <input type="radio" name="slip-as" checked={choice.as === 'tips'} onChange={() => choose({ as: 'tips' })} />{' '}
            Tips, on your public record
          </label>
          <label>
            <input type="radio" name="slip-as" checked={choice.as === 'own'} onChange={() => choose({ as: 'own' })} />{' '}
            My own bets, private
          </label>
        </fieldset>
      )}
      {choice.as === 'tips' ? (
        <>
          {viewer.portfolios.length > 1 && (
            <Select
              name="portfolio"
              label="Portfolio"
              value={choice.portfolioReference}
              choices={viewer.portfolios.map(({ reference, name }) => ({ value: reference, title: name }))}
              onChange={({ currentTarget }) => choose({ portfolioReference: currentTarget.value })}
            />
          )}
          <TextArea
            name="analysis"
            label="Analysis"
            hint={slip.mode === 'singles' && slip.legs.length > 1 ? 'Published with each of these tips.' : undefined}
            rows={3}
            maxLength={10_000}
            value={slip.analysis}
            onChange={({ currentTarget: { value } }) => write({ analysis: value })}
          />
          {plan.bets.length === 1 && (
            <MinPriceField
              display={formatsOf(viewer).oddsDisplay}
              value={slip.minPrice}
              onChange={(minPrice) => write({ minPrice })}
              error={problems.minPrice}
            />
          )}
          {portfolio?.type === premium && !portfolio.sells && <OpenToAll portfolio={portfolio.reference} />}
          {portfolio?.sells && (
            <FieldCheck
              name="members"
              label="For members only"
              checked={!slip.free}
              onChange={({ currentTarget: { checked } }) => write({ free: !checked })}
            />
          )}
          <FieldCheck
            name="hidden"
            label="Hidden until the start"
            checked={slip.hidden}
            onChange={({ currentTarget: { checked } }) => write({ hidden: checked })}
          />
        </>
      ) : (
        betCurrencies.length > 1 && (
          <Select
            name="currency"
            label="Stakes in"
            value={choice.currencyId}
            choices={currencies
              .filter(({ id }) => betCurrencies.includes(id))
              .map((currency) => ({
                value: currency.id,
                title: currency.id === CurrencyId.UNITS ? 'Units' : `${currency.name} (${unitOf(currency)})`,
              }))}
            onChange={({ currentTarget }) => choose({ currencyId: Number(currentTarget.value) as CurrencyId })}
          />
        )
      )}
    </div>
  );
}
