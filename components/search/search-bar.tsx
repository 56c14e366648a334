import { Search } from 'lucide-react';
import { routes } from '@/lib/routes';
import { searchLimits } from '@/lib/search/schema';
import { Island } from '../islands/island';
import { searchFieldId, searchPanelId } from '../shell/anchors';
import { Icon } from '../ui/icon';
import styles from './search-bar.module.scss';

/**
 * Spec §2.1: the search of the header, a form that needs no script; where space is short a button opens it. From its first use on it
 * suggests what is typed; '/' and Ctrl+K lead to it.
 */
export function SearchBar({ timeZone }: { timeZone: string }) {
  return (
    <div className={styles.bar}>
      <button type="button" className={styles.toggle} popoverTarget={searchPanelId} aria-label="Open the search">
        <Icon of={Search} />
      </button>
      <div id={searchPanelId} popover="auto" className={styles.panel}>
        <form action={routes.search()} method="get" role="search" className={styles.form}>
          <input
            id={searchFieldId}
            type="search"
            name="q"
            className={styles.input}
            placeholder="Teams, leagues, tipsters"
            maxLength={searchLimits.longestQuestion}
            aria-label="Search the site"
            aria-keyshortcuts="/ Control+K"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
          />
          <button type="submit" className={styles.submit} aria-label="Search">
            <Icon of={Search} />
          </button>
          <Island name="suggestions" props={{ timeZone }} />
        </form>
      </div>
    </div>
  );
}
