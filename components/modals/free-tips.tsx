import { routes } from '@/lib/routes';
import type { ModalProps } from '../state/modals';
import { TipList } from '../tips/tip-list';
import { Badge } from '../ui/badge';
import { ButtonLink } from '../ui/button-link';
import styles from './free-tips.module.scss';

/** Today's free tips of those with the best year, and the way to an account. */
export function FreeTips({ tips }: ModalProps['free tips popup']) {
  return (
    <div className={styles.tips}>
      <p>
        {tips.some(({ demo }) => demo) && <Badge tone="notice">Demo data</Badge>} From the tipsters with the best past
        year, free to read. With an account you can follow them and be notified of each new tip. 18+.
      </p>
      <TipList tips={tips} timeZone="Europe/London" oddsDisplay="decimal" byline />
      <ButtonLink href={routes.register()} data-event="free-tips-sign-up">
        Sign up
      </ButtonLink>
    </div>
  );
}
