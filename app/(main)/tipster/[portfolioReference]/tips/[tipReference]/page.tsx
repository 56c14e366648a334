import type { Metadata } from 'next';
import { cache } from 'react';
import { FollowButton } from '@/components/portfolios/follow-button';
import { AdSlot } from '@/components/ads/ad-slot';
import { TipWays } from '@/components/bet-slip/tip-ways';
import { JsonLd } from '@/components/content/json-ld';
import { Island } from '@/components/islands/island';
import { JoinPlans } from '@/components/memberships/join-plans';
import { Units } from '@/components/ui/units';
import { LegTable } from '@/components/tips/leg-table';
import { OutcomeBadge } from '@/components/ui/outcome-badge';
import { PriceNow } from '@/components/formats/price-now';
import { TipAnalysis } from '@/components/tips/tip-analysis';
import { TipFollowers } from '@/components/tips/tip-followers';
import { TipLock } from '@/components/tips/tip-lock';
import { VerifierPlace } from '@/components/record/verifier-place';
import { Badge } from '@/components/ui/badge';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { Button } from '@/components/ui/button';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { Stat } from '@/components/ui/stat';
import { Stats } from '@/components/ui/stats';
import { WithoutScript } from '@/components/ui/without-script';
import { Moment } from '@/components/formats/moment';
import { TotalOdds } from '@/components/formats/total-odds';
import { ZoneName } from '@/components/formats/zone-name';
import { Term } from '@/components/ui/term';
import { getSale } from '@/lib/memberships/queries';
import { orNotFound } from '@/lib/pages/page';
import { portfolioMetadata, readPortfolioPage } from '@/lib/pages/portfolio-page';
import { shareAddress } from '@/lib/pages/share-cards';
import { portfolioFeeds } from '@/lib/pages/feeds';
import { tipData, trailData } from '@/lib/pages/structured-data';
import { tipHeading, tipWords } from '@/lib/pages/titles';
import { defaultView } from '@/lib/pages/default-view';
import { Markup } from '@/lib/pages/markup';
import { formatNumber, formatUnits } from '@/lib/format';
import { now as present } from '@/lib/platform/clock';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { getTip } from '@/lib/tips/queries';
import type { TipView } from '@/lib/tips/schema';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type TipPageProps = { params: Promise<{ portfolioReference: string; tipReference: string }> };

const read = cache(async (portfolioReference: string, tipReference: string) => {
  const { viewer, portfolio } = await readPortfolioPage(portfolioReference);
  return { viewer, portfolio, tip: await orNotFound(getTip(viewer, portfolioReference, tipReference, present())) };
});

export async function generateMetadata({ params }: TipPageProps): Promise<Metadata> {
  const { portfolioReference, tipReference } = await params;
  const { portfolio, tip } = await read(portfolioReference, tipReference);
  const isPersonal = portfolio.type === PortfolioVisibility.personal;
  return portfolioMetadata(portfolio, {
    ...tipWords(tip),
    path: routes.tip(portfolioReference, tipReference),
    // What is locked is a page of nothing to whoever searches; it is found once it opens.
    index: tip.lock === null,
    feeds: portfolioFeeds(portfolio),
    ...(isPersonal ? {} : { image: { address: shareAddress(tip), alt: tipHeading(tip) } }),
  });
}

const orderedBy: Readonly<Record<NonNullable<TipView['settlements'][number]['actor']>, string>> = {
  system: 'made automatically',
  admin: 'ordered by an admin',
  'super-admin': 'ordered by a super admin',
};

const openState = ({ started, legs }: TipView) =>
  legs.some(({ postponedUntil }) => postponedUntil !== null) ? 'Postponed' : started ? 'Awaiting result' : 'Open';

export default async function TipPage({ params }: TipPageProps) {
  const { portfolioReference, tipReference } = await params;
  const { viewer, portfolio, tip } = await read(portfolioReference, tipReference);
  const isPersonal = portfolio.type === PortfolioVisibility.personal;
  const { timeZone, oddsDisplay } = defaultView;
  const when = (iso: string) => (
    <>
      <Moment at={iso} style="day-time" timeZone={timeZone} /> <ZoneName name={defaultView.timeZoneName} />
    </>
  );
  const [settlement] = tip.settlements;
  const isRuled = tip.settlements.some(({ reason }) => reason !== null);
  const trail = [
    { href: routes.home(), title: 'Home' },
    { href: routes.tipsters(), title: 'Tipsters' },
    { href: routes.portfolio(portfolioReference), title: tip.portfolioName },
    { href: routes.portfolioPage(portfolioReference, 'tips'), title: 'Tips' },
  ];
  return (
    <Markup>
      <Breadcrumb trail={trail} here={tipHeading(tip)} />
      <h1>{tipHeading(tip)}</h1>
      <p className={styles.facts}>
        {settlement ? (
          <OutcomeBadge outcome={settlement.outcome} explained />
        ) : (
          <Badge tone="accent">{openState(tip)}</Badge>
        )}
        {tip.demo && <Badge tone="notice">Demo data</Badge>}
        <span className={styles.by}>
          by <SiteLink href={routes.portfolio(portfolioReference)}>{tip.portfolioName}</SiteLink>, published{' '}
          {when(tip.publishedAt)}
        </span>
        <FollowButton portfolioReference={portfolioReference} name={tip.portfolioName} />
        <TipWays tip={tip} />
        {!isPersonal && (
          <span className={styles.share}>
            <Button
              look="secondary"
              size="small"
              data-modal="share tip"
              data-portfolio={portfolioReference}
              data-tip={tipReference}
              data-title={tipHeading(tip)}
              data-image={shareAddress(tip)}
              data-event="share-tip"
            >
              Share
            </Button>
          </span>
        )}
      </p>
      <Stats>
        <Stat
          label="Stake"
          term="stake"
          note={
            tip.eachWay && (
              <>
                on each part, <Term of="each-way">each-way</Term>
              </>
            )
          }
        >
          {formatUnits(tip.stakeHundredths)} u
        </Stat>
        {tip.totalOddsThousandths !== null && (
          <Stat label="Odds" term="odds">
            <TotalOdds thousandths={tip.totalOddsThousandths} display={oddsDisplay} />
          </Stat>
        )}
        {settlement && (
          <Stat label="Profit" term="profit" note={`returned ${formatUnits(settlement.returnHundredths)}`}>
            <Units hundredths={settlement.profitHundredths} />
          </Stat>
        )}
      </Stats>
      <PriceNow tip={tip} oddsDisplay={oddsDisplay} />
      {tip.lock ? (
        <Island name="own tip" props={{ portfolio: portfolioReference, tip: tipReference }}>
          <TipLock
            lock={tip.lock}
            opensAt={tip.firstStartsAt}
            timeZone={timeZone}
            zone={<ZoneName name={defaultView.timeZoneName} />}
          />
          <WithoutScript href={routes.readTip(portfolioReference, tipReference)} />
        </Island>
      ) : (
        <LegTable tip={tip} timeZone={timeZone} oddsDisplay={oddsDisplay} />
      )}
      {tip.lock === 'members' && portfolio.type === PortfolioVisibility.premium && (
        <JoinPlans
          sale={await getSale(viewer, portfolioReference)}
          name={tip.portfolioName}
          from={routes.tip(portfolioReference, tipReference)}
        />
      )}
      {tip.followers.length > 0 && (
        <section aria-labelledby="followers">
          <SectionHeading id="followers">At followers’ prices</SectionHeading>
          <TipFollowers followers={tip.followers} timeZone={timeZone} oddsDisplay={oddsDisplay} />
        </section>
      )}
      <div className={styles.spread}>
        {tip.analysis && <TipAnalysis text={tip.analysis} />}
        {isRuled && (
          <section aria-labelledby="corrections">
            <SectionHeading id="corrections">
              <Term of="correction">Corrections</Term>
            </SectionHeading>
            <ul className={styles.versions}>
              {tip.settlements.map((version) => (
                <li key={version.version}>
                  Version {version.version}, {when(version.settledAt)}: {version.outcome},{' '}
                  {formatUnits(version.profitHundredths, { sign: true })} units
                  {version.actor && `, ${orderedBy[version.actor]}`}
                  {version.reason && ` (${version.reason})`}
                </li>
              ))}
            </ul>
          </section>
        )}
        <section aria-labelledby="proof">
          <SectionHeading id="proof">Its place in the record</SectionHeading>
          <p className={styles.paragraph}>
            {tip.ledgerSequence === null ? (
              'A personal portfolio is not on the public record.'
            ) : (
              <>
                Entry {formatNumber(tip.ledgerSequence)} of the <Term of="ledger">ledger</Term>
                {settlement &&
                  settlement.sequence !== null &&
                  `, settled in entry ${formatNumber(settlement.sequence)}`}
                . Nobody can change it. Check its proof here in your browser, or{' '}
                <SiteLink href={routes.ledger({ tip: tip.reference })}>read it in the record</SiteLink>.
              </>
            )}
          </p>
          {tip.ledgerSequence !== null && (
            <VerifierPlace tip={tip.reference} total={1 + tip.settlements.length} showsProof />
          )}
        </section>
      </div>
      <AdSlot name="tip" />
      {!isPersonal && (
        <JsonLd
          data={[
            trailData([...trail, { href: routes.tip(portfolioReference, tipReference), title: tipHeading(tip) }]),
            ...tipData(tip, shareAddress(tip)),
          ]}
        />
      )}
    </Markup>
  );
}
