import { useOwn } from '../state/use-own';
import { FormMessage } from '../ui/form-message';

type OwnReviewProps = { bookmakerId: number; name: string };

/** In the place of a bookmaker's offer: that it isn't available in the country of the member who looks; nothing where it is. */
export function OwnReview({ bookmakerId, name }: OwnReviewProps) {
  const own = useOwn('GET /user/bookmakers', {});
  const isBlocked = own?.bookmakers.some(({ id, markets }) => id === bookmakerId && !markets);
  return isBlocked ? <FormMessage kind="error">{name} isn’t available in your country.</FormMessage> : null;
}
