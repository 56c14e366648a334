import { Receipt } from 'lucide-react';
import { routes } from '@/lib/routes';
import { Icon } from '../ui/icon';
import { SiteLink } from '../ui/site-link';
import { VisuallyHidden } from '../ui/visually-hidden';
import styles from './slip-link.module.scss';

/** The way to the bet slip, with how many selections are in it once the browser has looked: its modal for tipsters, the record of one's own bets for all others. */
export function SlipLink() {
  return (
    <SiteLink href={routes.bets()} className={styles.link} data-modal="bet slip" data-event="bet-slip" rel="nofollow">
      <Icon of={Receipt} />
      <VisuallyHidden>Bet slip</VisuallyHidden>
      <span data-slip-count className={styles.count} hidden />
    </SiteLink>
  );
}
