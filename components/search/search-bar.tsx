'use client';

import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { routes } from '@/lib/routes';
import { searchLimits } from '@/lib/search/schema/kinds';
import styles from './search-bar.module.scss';

const panelId = 'search-panel';
const inputId = 'search-field';

/** `icon` is drawn by the server, so that the browser need not carry the drawing. */
type SearchBarProps = { timeZone: string; icon?: ReactNode };

type Enhancement = ComponentType<{ timeZone: string; input: HTMLInputElement }>;

/**
 * Spec §2.1: the search of the header, a form that needs no script; where space is short a button opens it. From its first use on it
 * suggests what is typed; '/' and Ctrl+K lead to it.
 */
export function SearchBar({ timeZone, icon }: SearchBarProps) {
  const [field, setField] = useState<HTMLInputElement | null>(null);
  const [Suggestions, setSuggestions] = useState<Enhancement | null>(null);

  useEffect(() => {
    if (!field) return undefined;
    let isAsked = false;
    const enhance = () => {
      if (isAsked) return;
      isAsked = true;
      import('./suggestions').then(
        (loaded) => setSuggestions(() => loaded.Suggestions),
        // Without its suggestions the form still searches; the next focus tries again.
        () => void (isAsked = false),
      );
    };
    const seek = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      // Where there is room the panel stands open without being a popover.
      if (field.offsetParent === null) field.closest<HTMLElement>('[popover]')?.showPopover();
      field.focus();
      field.select();
    };
    if (document.activeElement === field) enhance();
    field.addEventListener('focus', enhance);
    document.addEventListener('keydown', seek);
    return () => {
      field.removeEventListener('focus', enhance);
      document.removeEventListener('keydown', seek);
    };
  }, [field]);

  return (
    <div className={styles.bar}>
      <button type="button" className={styles.toggle} popoverTarget={panelId} aria-label="Open the search">
        {icon}
      </button>
      <div
        id={panelId}
        popover="auto"
        className={styles.panel}
        onToggle={(event) => event.newState === 'open' && field?.focus()}
      >
        <form action={routes.search()} method="get" role="search" className={styles.form}>
          <input
            ref={setField}
            id={inputId}
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
            {icon}
          </button>
          {Suggestions && field && <Suggestions input={field} timeZone={timeZone} />}
        </form>
      </div>
    </div>
  );
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') return true;
  const isTyping =
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
  return key === '/' && !ctrlKey && !metaKey && !isTyping;
}
