import { callAddress } from '@/lib/calls';
import type { MailLink } from '@/lib/notifications/schema';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';

type Action = 'stop' | 'stop-tip' | 'stop-post' | 'stop-settlement' | 'daily' | 'resume';
type UnsubscribeFormProps = { guid: string; action: Action; look?: 'primary' | 'secondary'; children: string };

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
  ['tip', 'stop-tip', 'tips'],
  ['post', 'stop-post', 'posts'],
  ['settlement', 'stop-settlement', 'settlements'],
] as const;

/** What a mail's link offers: less instead of nothing, everything off, and back. */
export function UnsubscribeChoices({ guid, link }: { guid: string; link: MailLink }) {
  const coming = kinds.filter(([kind]) => link[kind]);
  if (coming.length === 0)
    return (
      <>
        <FormMessage kind="success">You will no longer get these e-mails.</FormMessage>
        <UnsubscribeForm guid={guid} action="resume">
          Send them again
        </UnsubscribeForm>
      </>
    );
  return (
    <>
      <p>
        You get e-mails about {coming.map(([, , words]) => words).join(', ')}
        {link.daily ? ' in one daily e-mail.' : ', at once.'}
      </p>
      {!link.daily && (
        <UnsubscribeForm guid={guid} action="daily">
          One e-mail a day instead
        </UnsubscribeForm>
      )}
      {coming.length > 1 &&
        coming.map(([kind, action, words]) => (
          <UnsubscribeForm key={kind} guid={guid} action={action}>
            {`Stop e-mails about ${words}`}
          </UnsubscribeForm>
        ))}
      <UnsubscribeForm guid={guid} action="stop" look="primary">
        Stop all of them
      </UnsubscribeForm>
    </>
  );
}
