import type { MouseEvent } from 'react';
import type { SearchAnswer } from '@/lib/search/schema';
import { Button } from '../ui/button';
import { SiteLink } from '../ui/site-link';
import { HitText } from './hit-text';
import type { Option, OptionGroup } from './options';
import styles from './suggestion-list.module.scss';

type SuggestionListProps = {
  id: string;
  isOpen: boolean;
  groups: readonly OptionGroup[];
  activeHref: string | null;
  answer: SearchAnswer | null;
  note: string | null;
  timeZone: string;
  onChoose: (option: Option, event: MouseEvent) => void;
  onForget: (() => void) | null;
};

/** The id of an option, by its place among all. */
export const optionId = (listId: string, index: number) => `${listId}-${index}`;

/** What there is to choose from, in groups that are read out by their headings. */
export function SuggestionList({
  id,
  isOpen,
  groups,
  activeHref,
  answer,
  note,
  timeZone,
  onChoose,
  onForget,
}: SuggestionListProps) {
  const all = groups.flatMap(({ options }) => options);
  return (
    // Pressing the mouse must not take the focus from the field, or the list would close under the pointer.
    <div className={styles.popup} hidden={!isOpen} onMouseDown={(event) => event.preventDefault()}>
      {note && <p className={styles.note}>{note}</p>}
      <div id={id} role="listbox" aria-label="Suggestions">
        {groups.map(({ title, options }, place) => (
          <div key={title} role="group" aria-labelledby={`${id}-group-${place}`} className={styles.group}>
            <div id={`${id}-group-${place}`} role="presentation" className={styles.heading}>
              {title}
            </div>
            {options.map((option) => (
              <SiteLink
                key={option.href}
                id={optionId(id, all.indexOf(option))}
                role="option"
                aria-selected={option.href === activeHref}
                tabIndex={-1}
                href={option.href}
                className={styles.option}
                onClick={(event) => onChoose(option, event)}
              >
                {'hit' in option ? (
                  <HitText hit={option.hit} terms={answer?.terms ?? []} timeZone={timeZone} />
                ) : (
                  option.text
                )}
              </SiteLink>
            ))}
          </div>
        ))}
      </div>
      {onForget && (
        <div className={styles.forget}>
          <Button look="quiet" size="small" onClick={onForget}>
            Clear recent searches
          </Button>
        </div>
      )}
    </div>
  );
}
