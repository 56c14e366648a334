import { useAtom } from 'jotai';
import { openModal } from '../state/modals';
import { addToBetSlipAtom } from '../state/preferences';
import { viewerNow } from '../state/viewer';
import { Button } from '../ui/button';
import styles from './desk-tools.module.scss';
import { Segments } from './segments';
import { Switch } from './switch';

type DeskToolsProps = {
  isMatrix: boolean;
  onMatrix: (isOn: boolean) => void;
  showsAll: boolean;
  onShowsAll: (isOn: boolean) => void;
  hasPortfolio: boolean;
  marketCount: number;
};

const views = [
  { value: 'selectors', title: 'Best price' },
  { value: 'matrix', title: 'Every bookmaker' },
] as const;

const aims = [
  { value: 'tip', title: 'Publish a tip' },
  { value: 'slip', title: 'Add to bet slip' },
] as const;

/** Spec §3: how prices are shown and what choosing one does; each is kept as a preference. */
export function DeskTools({ isMatrix, onMatrix, showsAll, onShowsAll, hasPortfolio, marketCount }: DeskToolsProps) {
  const [toSlip, setToSlip] = useAtom(addToBetSlipAtom);
  return (
    <div className={styles.tools}>
      {hasPortfolio && (
        <Segments
          label="What choosing a price does"
          choices={aims}
          value={toSlip ? 'slip' : 'tip'}
          onChange={(value) => void setToSlip(value === 'slip')}
        />
      )}
      <Segments
        label="Prices shown"
        choices={views}
        value={isMatrix ? 'matrix' : 'selectors'}
        onChange={(value) => onMatrix(value === 'matrix')}
      />
      {marketCount > 2 && <Switch label="Show all markets" isOn={showsAll} onChange={onShowsAll} />}
      {hasPortfolio && (
        <Button look="quiet" size="small" onClick={changeDescription}>
          Change description
        </Button>
      )}
    </div>
  );
}

function changeDescription(): void {
  const viewer = viewerNow();
  if (viewer.kind === 'member' && viewer.currentPortfolio)
    openModal('change description', { portfolioReference: viewer.currentPortfolio });
}
