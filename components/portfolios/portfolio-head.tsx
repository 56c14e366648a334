import { formatCount } from '@/lib/format';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { FollowButton } from '../account/follow-button';
import { Island } from '../islands/island';
import { Badge } from '../ui/badge';
import { Breadcrumb } from '../ui/breadcrumb';
import { LinkTabs } from '../ui/link-tabs';
import { Moment } from '../viewing/moment';
import styles from './portfolio-head.module.scss';

type PortfolioHeadProps = { portfolio: PortfolioView; activeHref: string; timeZone: string };

/** The head of every page of a portfolio: who it is and the way between its pages; the page's one h1. */
export function PortfolioHead({ portfolio, activeHref, timeZone }: PortfolioHeadProps) {
  const { reference, name, owner, type, followers, createdAt, demo, abandoned } = portfolio;
  const home = routes.portfolio(reference);
  return (
    <>
      <Breadcrumb
        trail={[
          { href: routes.home(), title: 'Home' },
          { href: routes.tipsters(), title: 'Tipsters' },
        ]}
        here={name}
      />
      <header className={styles.head}>
        <h1>{name}</h1>
        <p className={styles.facts}>
          {demo && <Badge tone="notice">Demo data</Badge>}
          {type === PortfolioVisibility.premium && <Badge tone="accent">Members</Badge>}
          {type === PortfolioVisibility.personal && <Badge tone="accent">Personal: nobody else sees it</Badge>}
          {abandoned && <Badge tone="plain">No longer kept</Badge>}
          <span>
            by {owner} · since <Moment at={createdAt} style="month" timeZone={timeZone} />
            {type !== PortfolioVisibility.personal && ` · ${formatCount(followers, 'follower', 'followers')}`}
          </span>
        </p>
        {!abandoned && (
          <div className={styles.follow}>
            <FollowButton portfolioReference={reference} name={name} />
            <Island
              name="owner link"
              props={{ portfolio: reference, href: routes.ownPortfolioPage(reference, 'manage'), title: 'Manage' }}
            />
          </div>
        )}
      </header>
      <LinkTabs
        label={name}
        activeHref={activeHref}
        tabs={[
          { href: home, title: 'Profile' },
          { href: routes.portfolioPage(reference, 'stats'), title: 'Statistics' },
          { href: routes.portfolioPage(reference, 'results'), title: 'Results' },
          { href: routes.portfolioPage(reference, 'tips'), title: 'Tips' },
          { href: routes.portfolioPage(reference, 'posts'), title: 'Posts' },
        ]}
      />
    </>
  );
}
