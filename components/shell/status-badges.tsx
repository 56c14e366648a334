import { useAtomValue } from 'jotai';
import { RefreshCw, WifiOff } from 'lucide-react';
import { isOnlineAtom } from '../state/connection';
import { updateReadyAtom } from '../state/version';
import { refreshPage } from '../state/version-refresh';
import { Badge } from '../ui/badge';
import { Icon } from '../ui/icon';
import { VisuallyHidden } from '../ui/visually-hidden';
import styles from './status-badges.module.scss';

/** Spec §4: what the connection and the version make of the page. Where the page does not load itself anew, the badge does. */
export function StatusBadges() {
  const isOnline = useAtomValue(isOnlineAtom);
  const isUpdateReady = useAtomValue(updateReadyAtom);
  return (
    <>
      {!isOnline && (
        <Badge tone="notice" icon={<Icon of={WifiOff} size="small" />}>
          Offline
        </Badge>
      )}
      {isUpdateReady && (
        <button type="button" className={styles.refresh} onClick={refreshPage}>
          <Badge tone="accent" icon={<Icon of={RefreshCw} size="small" />}>
            Update Ready
          </Badge>
          <VisuallyHidden>: reload the page</VisuallyHidden>
        </button>
      )}
    </>
  );
}
