import { callAddress } from '@/lib/calls';
import type { MailLink, mailLinkActions } from '@/lib/notifications/schema';
import { routes } from '@/lib/routes';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { SiteLink } from '../ui/site-link';

type UnsubscribeFormProps = {
  guid: string;
  action: (typeof mailLinkActions)[number];
  look?: 'primary' | 'secondary';
  children: string;
};

/** Product §12: one press does what it says; the browser sends it itself, with script or without. */
export function UnsubscribeForm({ guid, action, look = 'secondary', children }: UnsubscribeFormProps) {
  return (
    <form action={callAddress('POST /unsubscribe/{guid}', { params: { guid }, query: { action } })} method="post">
      <Button type="submit" look={look}>
        {children}
      </Button>
    </form>
  );
}

const kinds = [
  { kind: 'tip', words: 'tips', daily: true },
  { kind: 'post', words: 'posts', daily: true },
  { kind: 'settlement', words: 'settlements', daily: true },
  { kind: 'fixture', words: 'fixtures you watch', daily: true },
  { kind: 'staff', words: 'messages from Tipledger staff', daily: false },
] as const;

function Coming({ link }: { link: MailLink }) {
  const coming = kinds.filter(({ kind }) => link[kind]);
  const wordsOf = (isDaily: boolean) =>
    coming
      .filter(({ daily }) => (link.daily && daily) === isDaily)
      .map(({ words }) => words)
      .join(', ')
      .replace(/, ([^,]*)$/, ' and $1');
  const [gathered, atOnce] = [wordsOf(true), wordsOf(false)];
  return (
    <p>
      You get e-mails about {gathered && `${gathered} in one daily e-mail`}
      {gathered && atOnce && ', and about '}
      {atOnce && `${atOnce} at once`}.
    </p>
  );
}

/** What a mail's link offers: less instead of nothing, everything off, and back. */
export function UnsubscribeChoices({ guid, link }: { guid: string; link: MailLink }) {
  const coming = kinds.filter(({ kind }) => link[kind]);
  const always = <p>E-mails about your memberships and payouts always come, as they are about your money.</p>;
  if (coming.length === 0)
    return (
      <>
        <FormMessage kind="success">You will no longer get these e-mails.</FormMessage>
        {always}
        {link.portfolio && link.silenced ? (
          <p>
            You muted everything else. To get these e-mails again, unmute in{' '}
            <SiteLink href={routes.dashboard('notifications')}>your notifications</SiteLink>.
          </p>
        ) : (
          <UnsubscribeForm guid={guid} action="resume">
            Send them again
          </UnsubscribeForm>
        )}
      </>
    );
  return (
    <>
      <Coming link={link} />
      {!link.daily && coming.some(({ daily }) => daily) && (
        <UnsubscribeForm guid={guid} action="daily">
          One e-mail a day instead
        </UnsubscribeForm>
      )}
      {coming.length > 1 &&
        coming.map(({ kind, words }) => (
          <UnsubscribeForm key={kind} guid={guid} action={`stop-${kind}`}>
            {`Stop e-mails about ${words}`}
          </UnsubscribeForm>
        ))}
      <UnsubscribeForm guid={guid} action="stop" look="primary">
        Stop all of them
      </UnsubscribeForm>
      {always}
    </>
  );
}
