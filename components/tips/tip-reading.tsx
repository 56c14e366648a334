import type { OddsDisplay } from '@/lib/reference/schema';
import type { TipView } from '@/lib/tips/schema';
import { TipWays } from '../bet-slip/tip-ways';
import { Stat } from '../ui/stat';
import { Stats } from '../ui/stats';
import { TotalOdds } from '../formats/total-odds';
import { LegTable } from './leg-table';
import { PriceNow } from '../formats/price-now';
import { TipAnalysis } from './tip-analysis';
import styles from './tip-reading.module.scss';

type TipReadingProps = { tip: TipView; timeZone: string; oddsDisplay: OddsDisplay };

/** What a tip that is locked for guests says to those for whom it is open. */
export function TipReading({ tip, timeZone, oddsDisplay }: TipReadingProps) {
  return (
    <>
      <div className={styles.ways}>
        <TipWays tip={tip} />
      </div>
      <PriceNow tip={tip} oddsDisplay={oddsDisplay} />
      {tip.totalOddsThousandths !== null && (
        <Stats>
          <Stat label="Odds" term="odds">
            <TotalOdds thousandths={tip.totalOddsThousandths} display={oddsDisplay} />
          </Stat>
        </Stats>
      )}
      <LegTable tip={tip} timeZone={timeZone} oddsDisplay={oddsDisplay} />
      {tip.analysis && <TipAnalysis text={tip.analysis} />}
    </>
  );
}
