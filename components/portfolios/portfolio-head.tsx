import { formatCount } from '@/lib/format';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import type { Speciality } from '@/lib/stats/schema';
import { Face } from './face';
import { FollowButton } from './follow-button';
import { Island } from '../islands/island';
import { Badge } from '../ui/badge';
import { Breadcrumb } from '../ui/breadcrumb';
import { LinkTabs } from '../ui/link-tabs';
import { Moment } from '../formats/moment';
import styles from './portfolio-head.module.scss';
import { SpecialityNote } from './speciality-note';

type PortfolioHeadProps = {
  portfolio: PortfolioView;
  activeHref: string;
  timeZone: string;
  speciality?: Speciality | null;
};

/** The head of every page of a portfolio: who it is and the way between its pages; the page's one h1. */
export function PortfolioHead({ portfolio, activeHref, timeZone, speciality = null }: PortfolioHeadProps) {
  const { reference, name, owner, type, followers, createdAt, demo, abandoned, picture } = portfolio;
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
        <Face reference={reference} picture={picture} size="large" />
        <h1>{name}</h1>
        <p className={styles.facts}>
          {demo && <Badge tone="notice">Demo data</Badge>}
          {type === PortfolioVisibility.premium && <Badge tone="accent">Premium</Badge>}
          {type === PortfolioVisibility.personal && (
            <Badge tone="accent">Personal: only you and our staff see it</Badge>
          )}
          {abandoned && <Badge tone="plain">Closed</Badge>}
          <span>
            by {owner} · since <Moment at={createdAt} style="month" timeZone={timeZone} />
            {type !== PortfolioVisibility.personal && ` · ${formatCount(followers, 'follower', 'followers')}`}
            {speciality && (
              <>
                {' · '}
                <SpecialityNote speciality={speciality} />
              </>
            )}
          </span>
        </p>
        {!abandoned && (
          <div className={styles.follow}>
            <FollowButton portfolioReference={reference} name={name} />
            <Island
              name="owner link"
              props={{
                portfolio: reference,
                href: routes.addTips(),
                title: 'Add tip',
                look: 'primary',
                isChosen: true,
              }}
            />
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
