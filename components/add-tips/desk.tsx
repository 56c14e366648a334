import { useAtom, useAtomValue } from 'jotai';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import type { SlipLeg } from '@/lib/bets/rules';
import { type MarketGroup, marketGroups, type Place } from '@/lib/fixtures/rules';
import type { FixtureDetail, MarketsView, QuoteView, SelectionView } from '@/lib/fixtures/schema';
import { routes } from '@/lib/routes';
import { racingSports } from '@/lib/odds/rules';
import { addToSlip, betSlipAtom, loadSlip, removeFromSlip } from '../state/bet-slip';
import { isOnlineAtom } from '../state/connection';
import { isModalOpen, openModal, showFeedback } from '../state/modals';
import {
  addToBetSlipAtom,
  bestStartingPriceAtom,
  loadPreferences,
  matrixAtom,
  showAllMarketsAtom,
} from '../state/preferences';
import { viewerAtom, type ViewerState } from '../state/viewer';
import { ButtonLink } from '../ui/button-link';
import { FormMessage } from '../ui/form-message';
import { SiteLink } from '../ui/site-link';
import { formatsOf } from '../formats/formats';
import styles from './desk.module.scss';
import { type Desk as Shared, DeskProvider } from './desk-context';
import { readDraft } from '../state/tip-draft';
import { legOf } from './leg';
import { MarketBlock } from './market-block';
import { DeskProblem } from './desk-problem';
import { DeskTools } from './desk-tools';
import { useMarkets } from './use-markets';

type Member = Extract<ViewerState, { kind: 'member' }>;

/** How many markets are open at first where not all are: who wins, and what is asked for most beside it. */
const openAtFirst = 2;

/** Spec §5: the prices of a fixture to take a tip at, for whoever is signed in; `entrance` for everybody else. */
export function Desk({ fixture, entrance }: { fixture: FixtureDetail; entrance: ReactNode }) {
  const viewer = useAtomValue(viewerAtom);
  if (viewer.kind !== 'member') return entrance;
  return <MemberDesk fixture={fixture} member={viewer} />;
}

function MemberDesk({ fixture, member }: { fixture: FixtureDetail; member: Member }) {
  const { view, error, again } = useMarkets(fixture.reference);
  const hasPortfolio = member.currentPortfolio !== null;

  useEffect(() => {
    void Promise.all([loadPreferences(), loadSlip()]);
  }, []);

  // What was being written when the page went away, as for a login, is there again.
  useEffect(() => {
    if (!hasPortfolio) return;
    void readDraft(({ isOpen, leg }) => isOpen && leg.fixtureReference === fixture.reference).then((draft) => {
      // A tip that is being written now is newer than what was kept of it.
      if (draft && !isModalOpen('add tips')) openModal('add tips', { leg: draft.leg, draft });
    });
  }, [hasPortfolio, fixture.reference]);

  if (!view) return error ? <DeskProblem error={error} again={again} /> : <p role="status">Loading the prices…</p>;
  return (
    <>
      {!hasPortfolio && (
        <p className={styles.word}>
          What you choose goes into your bet slip. <SiteLink href={routes.newPortfolio()}>Create a portfolio</SiteLink>{' '}
          to publish tips.
        </p>
      )}
      <Markets fixture={fixture} member={member} view={view} isStale={Boolean(error)} />
    </>
  );
}

function Markets({
  fixture,
  member,
  view,
  isStale,
}: {
  fixture: FixtureDetail;
  member: Member;
  view: MarketsView;
  isStale: boolean;
}) {
  const isOnline = useAtomValue(isOnlineAtom);
  const [isMatrix, setMatrix] = useAtom(matrixAtom);
  const [showsAll, setShowsAll] = useAtom(showAllMarketsAtom);
  const groups = marketGroups(view.markets);
  const desk = useDeskOf(fixture, member, view);
  if (groups.length === 0) {
    return (
      <div className={styles.empty}>
        <p>{view.empty}</p>
        <ButtonLink look="secondary" href={routes.addTips(fixture.sportReference)}>
          Choose another fixture
        </ButtonLink>
      </div>
    );
  }
  return (
    <DeskProvider value={desk}>
      <DeskTools
        isMatrix={isMatrix}
        onMatrix={setMatrix}
        showsAll={showsAll}
        onShowsAll={setShowsAll}
        hasPortfolio={member.currentPortfolio !== null}
        marketCount={groups.length}
      />
      {(!isOnline || isStale) && (
        <FormMessage kind="error">
          The connection is lost: these prices may have moved. You can go on; a tip is published only at a price that is
          still on offer.
        </FormMessage>
      )}
      {groups.map((group: MarketGroup, index) => (
        <MarketBlock
          key={`${group.key}-${showsAll}`}
          group={group}
          isMatrix={isMatrix}
          opensFirst={showsAll || index < openAtFirst}
        />
      ))}
    </DeskProvider>
  );
}

/** What was written on this selection before, and neither published nor dropped, is there again. */
async function openTip(leg: SlipLeg): Promise<void> {
  const draft = await readDraft(({ leg: { selectionId } }) => selectionId === leg.selectionId);
  openModal('add tips', { leg, ...(draft && { draft }) });
}

function useDeskOf(fixture: FixtureDetail, member: Member, view: MarketsView): Shared {
  const toSlip = useAtomValue(addToBetSlipAtom) || member.currentPortfolio === null;
  const startingPriceFirst = useAtomValue(bestStartingPriceAtom) && racingSports.includes(fixture.sportReference);
  const { legs } = useAtomValue(betSlipAtom);
  const { timeZone, oddsDisplay } = formatsOf(member);
  const exchanges = new Set(view.bookmakers.filter(({ exchange }) => exchange).map(({ id }) => id));

  function quoteOf({ odds }: SelectionView): QuoteView | null {
    const offered = odds.filter(({ pulled }) => !pulled);
    return (
      (startingPriceFirst ? offered.find(({ bookmakerId }) => exchanges.has(bookmakerId)) : undefined) ??
      offered[0] ??
      null
    );
  }

  function choose(place: Place, quote: QuoteView): void {
    const leg = legOf(fixture, place, quote, view.bookmakers);
    if (!toSlip) return void openTip(leg);
    const own = legs.find(({ selectionId }) => selectionId === leg.selectionId);
    if (own?.bookmakerId === leg.bookmakerId) return removeFromSlip(leg.selectionId);
    if (addToSlip(leg) === 'full')
      showFeedback({
        title: 'The bet slip is full',
        text: 'It holds 12 selections. Remove one first.',
        kind: 'error',
      });
  }

  return {
    fixture,
    view,
    timeZone,
    display: oddsDisplay,
    inSlip: toSlip ? new Set(legs.map(({ selectionId }) => selectionId)) : null,
    quoteOf,
    nameOf: (id) => view.bookmakers.find((bookmaker) => bookmaker.id === id)?.name ?? '',
    choose,
  };
}
