import { callAddress } from '@/lib/calls';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';

type UnsubscribeFormProps = { guid: string; portfolioReference: string; kind: 'tips' | 'posts'; isStopped: boolean };

/** Product §8: one press stops one kind of mail; the browser sends it itself, with script or without. */
export function UnsubscribeForm({ guid, portfolioReference, kind, isStopped }: UnsubscribeFormProps) {
  if (isStopped) return <FormMessage kind="success">No mails about {kind} come any more.</FormMessage>;
  return (
    <form
      action={callAddress(`POST /user/guid/unsubscribe/{reference}/${kind}`, {
        params: { reference: portfolioReference },
        query: { guid },
      })}
      method="post"
    >
      <Button type="submit">Stop mails about {kind}</Button>
    </form>
  );
}
