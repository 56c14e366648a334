import { formatDate } from '@/lib/format';
import { routes } from '@/lib/routes';
import { useOwn } from '../state/use-own';
import { SiteLink } from '../ui/site-link';
import { Time } from '../ui/time';

/** What a member has of a portfolio already, in the place of its prices; nothing for whoever has none. */
export function OwnMembership({ portfolio }: { portfolio: string }) {
  const own = useOwn('GET /user/memberships', {});
  const membership = own?.running.find(({ portfolioReference }) => portfolioReference === portfolio);
  if (!membership) return null;
  const { state, endsAt, renewsAt } = membership;
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <p>
      You are a member.{' '}
      {state === 'past due' ? (
        'Your last renewal could not be charged.'
      ) : (
        <>
          {renewsAt ? 'It renews on' : 'It runs until'}{' '}
          <Time dateTime={endsAt}>{formatDate(endsAt, { timeZone, style: 'day' })}</Time>.
        </>
      )}{' '}
      <SiteLink href={routes.dashboard('memberships')}>Your memberships</SiteLink>
    </p>
  );
}
