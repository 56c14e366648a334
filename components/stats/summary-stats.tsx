import { formatCount, formatPercent, formatUnits } from '@/lib/format';
import type { StatisticsView } from '@/lib/stats/schema';
import { Units } from '../ui/units';
import { Stat } from '../ui/stat';
import { Stats } from '../ui/stats';
import { Term } from '../ui/term';
import { type RecordWords, tipWords } from './record-words';

type SummaryStatsProps = { statistics: StatisticsView; besideBalance?: boolean; words?: RecordWords };

/** The figures of a record in one look: what was staked, won and lost, at which odds; each percentage with its count. `besideBalance` leaves out what a balance says. */
export function SummaryStats({ statistics, besideBalance = false, words = tipWords }: SummaryStatsProps) {
  const whole = (value: number) => formatCount(value, words.one, words.many);
  const { advised, level, tips, won, strikeRatePercent, averageOdds, longestLosingRun } = statistics;
  const { averageStakeHundredths, profitableMonths } = advised;
  const beaten = (clv: StatisticsView['clvPercent']) => (clv ? formatPercent(clv.value, { sign: true }) : '–');
  const beatenOver = (clv: StatisticsView['clvPercent']) => (clv ? whole(clv.count) : 'no closing prices');
  return (
    <Stats>
      {!besideBalance && (
        <>
          <Stat
            label={`Profit, ${words.stakes}`}
            term="profit"
            note={
              <>
                {formatUnits(Number(advised.turnoverHundredths))} {words.unit} <Term of="turnover">staked</Term>
              </>
            }
          >
            <Units hundredths={advised.profitHundredths} />
          </Stat>
          <Stat label="Yield" term="yield" note={whole(tips)}>
            {advised.yieldPercent ? formatPercent(advised.yieldPercent.value, { sign: true }) : '–'}
          </Stat>
        </>
      )}
      <Stat
        label="Profit, level stakes"
        term="level-stakes"
        note={
          level.yieldPercent
            ? `yield ${formatPercent(level.yieldPercent.value, { sign: true })} from ${whole(tips)}`
            : undefined
        }
      >
        <Units hundredths={level.profitHundredths} />
      </Stat>
      <Stat label="Strike rate" term="strike-rate" note={`${won} of ${whole(tips)}`}>
        {strikeRatePercent ? formatPercent(strikeRatePercent.value) : '–'}
      </Stat>
      <Stat label="Average odds" term="average-odds" note={whole(tips)}>
        {averageOdds ? averageOdds.value.toFixed(2) : '–'}
      </Stat>
      <Stat
        label="Max drawdown"
        term="maximum-drawdown"
        note={
          <>
            <Term of="losing-run">longest losing run</Term>: {whole(longestLosingRun)}
          </>
        }
      >
        {formatUnits(Number(advised.maxDrawdownHundredths))}
      </Stat>
      <Stat label="Closing line value" term="closing-line-value" note={beatenOver(statistics.clvPercent)}>
        {beaten(statistics.clvPercent)}
      </Stat>
      <Stat label="No-vig CLV" term="no-vig-closing-line-value" note={beatenOver(statistics.noVigClvPercent)}>
        {beaten(statistics.noVigClvPercent)}
      </Stat>
      {!besideBalance && (
        <>
          <Stat
            label="Average stake"
            term="stake"
            note={averageStakeHundredths ? whole(averageStakeHundredths.count) : undefined}
          >
            {averageStakeHundredths ? formatUnits(Math.round(averageStakeHundredths.value)) : '–'}
          </Stat>
          <Stat label="Profitable months" term="profitable-months" note={words.stakes}>
            {`${profitableMonths.profitable} of ${profitableMonths.months}`}
          </Stat>
        </>
      )}
    </Stats>
  );
}
