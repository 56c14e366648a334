import { CalendarX, LockKeyhole } from 'lucide-react';
import { FixtureDesk } from '@/components/add-tips/fixture-desk';
import { Scoreboard } from '@/components/fixtures/scoreboard';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { SiteLink } from '@/components/ui/site-link';
import { guest } from '@/lib/http/viewer';
import { defaultView } from '@/lib/pages/default-view';
import { listMarketNames } from '@/lib/fixtures/queries';
import type { FixtureDetail } from '@/lib/fixtures/schema';
import { now as present } from '@/lib/platform/clock';
import { routes } from '@/lib/routes';
import styles from './fixture-section.module.scss';

/** A fixture with its markets to tip on; spec §5: prices to take are for whoever is signed in, and everybody else is told so. */
export async function FixtureSection({ fixture }: { fixture: FixtureDetail }) {
  const { reference, sportReference, sportName, name, started } = fixture;
  return (
    <>
      <Breadcrumb
        trail={[
          { href: routes.addTips(), title: 'Add tips' },
          { href: routes.addTips(sportReference), title: sportName },
        ]}
        here={name}
      />
      <Scoreboard
        fixture={fixture}
        timeZone={defaultView.timeZone}
        timeZoneName={defaultView.timeZoneName}
        now={present()}
      />
      {started ? (
        <EmptyState
          icon={<Icon of={CalendarX} size="large" />}
          title="It has started"
          action={<ButtonLink href={routes.addTips(sportReference)}>Choose another fixture</ButtonLink>}
        >
          Tips can only be added before the start.{' '}
          <SiteLink href={routes.fixture(reference)}>See the fixture and its closing prices</SiteLink>.
        </EmptyState>
      ) : (
        <FixtureDesk fixture={fixture}>
          <Entrance fixture={fixture} />
        </FixtureDesk>
      )}
    </>
  );
}

async function Entrance({ fixture: { reference } }: { fixture: FixtureDetail }) {
  const names = await listMarketNames(guest(), reference);
  const back = routes.addTips(reference);
  return (
    <>
      <EmptyState
        icon={<Icon of={LockKeyhole} size="large" />}
        title="Log in to add a tip"
        action={
          <span className={styles.ways}>
            <ButtonLink href={routes.login({ redirect_to: back })}>Log in</ButtonLink>
            <ButtonLink look="secondary" href={routes.register({ redirect_to: back })}>
              Sign up
            </ButtonLink>
          </span>
        }
      >
        Tips are published under your name, at prices on offer in your country, so the prices load once you are logged
        in. <SiteLink href={routes.fixture(reference)}>You can see every price without an account</SiteLink>.
      </EmptyState>
      {names.length > 0 && (
        <ul className={styles.markets} aria-label="Markets on offer">
          {names.map(({ kind, name, count }) => (
            <li key={kind}>
              {name} {count > 1 && <span>{count}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
