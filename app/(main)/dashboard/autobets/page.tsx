import { Repeat } from 'lucide-react';
import type { Metadata } from 'next';
import { DashboardHead } from '@/components/account/dashboard-head';
import { AutobetRules } from '@/components/bet-slip/autobet-rules';
import { AutobetTable } from '@/components/bet-slip/autobet-table';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { Term } from '@/components/ui/term';
import { listWatchlist } from '@/lib/accounts/queries';
import { listAutobets } from '@/lib/bets/queries';
import { pageMetadata, type PageQuery, single } from '@/lib/pages/page';
import { isFailure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import { routes } from '@/lib/routes';
import { readMember } from '../_sections/read-member';

export const dynamic = 'force-dynamic';

type AutobetsPageProps = { searchParams: Promise<PageQuery> };

// An address that names nobody shows the page without a new rule.
function nullWhenMissing(error: unknown): null {
  if (isFailure(error, 'missing')) return null;
  throw error;
}

export const metadata: Metadata = pageMetadata({
  title: 'Autobets',
  description: 'Record the tips of tipsters you follow as your own bets, by your own rules.',
  path: routes.autobets(),
  index: false,
});

export default async function AutobetsPage({ searchParams }: AutobetsPageProps) {
  const given = await searchParams;
  const asked = single(given.portfolio);
  const { viewer, settings, timeZone, oddsDisplay } = await readMember(routes.autobets(), given);
  const [{ rules, latest }, followed, portfolio] = await Promise.all([
    listAutobets(viewer),
    listWatchlist(viewer),
    asked === undefined ? null : getPortfolio(viewer, asked).catch(nullWhenMissing),
  ]);
  const hasRule = (reference: string) => rules.some(({ portfolioReference }) => portfolioReference === reference);
  const fresh =
    portfolio && !hasRule(portfolio.reference) && !portfolio.abandoned
      ? [{ tipster: { reference: portfolio.reference, name: portfolio.name, demo: portfolio.demo }, rule: null }]
      : [];
  const entries = [
    ...fresh,
    ...rules.map((rule) => ({
      tipster: { reference: rule.portfolioReference, name: rule.portfolioName, demo: rule.demo },
      rule,
    })),
  ];
  const without = followed.filter(
    ({ portfolioReference, abandoned }) =>
      !abandoned && !hasRule(portfolioReference) && portfolioReference !== portfolio?.reference,
  );
  return (
    <>
      <DashboardHead title="Autobets" activeHref={routes.autobets()} />
      <p>
        An <Term of="autobet">autobet</Term> rule records a tipster’s new tips in{' '}
        <SiteLink href={routes.bets()}>your bets</SiteLink>, if you can read them, at the{' '}
        <Term of="best-price">best price</Term> that bookmakers in your country offer at that moment. Nothing is placed
        with a bookmaker and no money moves: it shows what following would have returned.
      </p>
      <section aria-labelledby="rules">
        <SectionHeading id="rules">Your rules</SectionHeading>
        {entries.length > 0 ? (
          <AutobetRules entries={entries} betCurrencyId={settings.betCurrencyId} oddsDisplay={oddsDisplay} />
        ) : (
          <EmptyState
            icon={<Icon of={Repeat} size="large" />}
            title="You have no autobet rules yet"
            action={without.length === 0 && <ButtonLink href={routes.tipsters()}>Compare tipsters</ButtonLink>}
          >
            {without.length > 0
              ? 'Choose one of the tipsters you follow to set up a rule.'
              : 'Follow a tipster, then set up a rule for their tips here.'}
          </EmptyState>
        )}
        {without.length > 0 && (
          <>
            <SectionHeading level={3} id="more">
              Set up a rule for
            </SectionHeading>
            <ul>
              {without.map(({ portfolioReference, name }) => (
                <li key={portfolioReference}>
                  <SiteLink href={routes.autobets({ portfolio: portfolioReference })}>{name}</SiteLink>
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      {latest.length > 0 && (
        <section aria-labelledby="latest">
          <SectionHeading id="latest" aside="The latest 50">
            What your rules did
          </SectionHeading>
          <AutobetTable latest={latest} timeZone={timeZone} oddsDisplay={oddsDisplay} />
        </section>
      )}
    </>
  );
}
