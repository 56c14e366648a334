import { useEffect, useEffectEvent, useId, useState } from 'react';
import type { MouseEvent } from 'react';
import { routes } from '@/lib/routes';
import { searchFieldId } from '../shell/anchors';
import { leaveFor } from '../state/auth-navigation';
import { VisuallyHidden } from '../ui/visually-hidden';
import { announcement, answerOptions, type Option, recentOptions } from './options';
import { forgetRecentSearches, keepRecentSearch, readRecentSearches, watchRecentSearches } from './recent-searches';
import { optionId, SuggestionList } from './suggestion-list';
import { shortestSuggested, useAnswer } from './use-answer';

type SuggestionsProps = { timeZone: string };

/** Leaves once what was searched for is kept. */
function leaveAfter(kept: Promise<void>, address: string): void {
  const leave = () => leaveFor(address);
  kept.then(leave, leave);
}

const steps: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Makes the server's search field a combobox with suggestions. The field stays the server's own, with what has been typed into it and
 * where the focus is; from here on its attributes are set by hand.
 */
export function Suggestions({ timeZone }: SuggestionsProps) {
  const [input] = useState(() => document.getElementById(searchFieldId));
  return input instanceof HTMLInputElement ? <Combobox input={input} timeZone={timeZone} /> : null;
}

function Combobox({ input, timeZone }: SuggestionsProps & { input: HTMLInputElement }) {
  const listId = useId();
  const [text, setText] = useState(input.value);
  const [wantsOpen, setWantsOpen] = useState(true);
  const [activeHref, setActiveHref] = useState<string | null>(null);
  const [recent, setRecent] = useState<string[]>([]);
  const { answer, failed } = useAnswer(text);

  const isAsking = text.trim().length >= shortestSuggested;
  const groups = isAsking ? (answer ? answerOptions(answer) : []) : text.trim() === '' ? recentOptions(recent) : [];
  const options = groups.flatMap((group) => group.options);
  const activeIndex = options.findIndex(({ href }) => href === activeHref);
  const note = isAsking ? noteOf(answer, failed) : null;
  const isOpen = wantsOpen && (options.length > 0 || note !== null);

  const leaveList = () => {
    setWantsOpen(false);
    setActiveHref(null);
    closePanel(input);
  };

  const choose = (option: Option, event: MouseEvent) => {
    const kept = keepRecentSearch('text' in option && !isAsking ? option.text : text);
    leaveList();
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    leaveAfter(kept, option.href);
  };

  const onInput = useEffectEvent(() => {
    setText(input.value);
    setActiveHref(null);
    setWantsOpen(true);
  });

  const onFocus = useEffectEvent(() => {
    setText(input.value);
    setWantsOpen(true);
  });

  const onLeave = useEffectEvent((event: FocusEvent) => {
    if (!(event.relatedTarget instanceof Node && input.form?.contains(event.relatedTarget))) setWantsOpen(false);
  });

  const onSubmit = useEffectEvent((event: SubmitEvent) => {
    event.preventDefault();
    const kept = keepRecentSearch(input.value);
    leaveList();
    leaveAfter(kept, routes.search({ q: input.value.trim() }));
  });

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const step = steps[event.key];
    if (event.isComposing) return;
    if (step !== undefined) {
      event.preventDefault();
      setWantsOpen(true);
      // The field itself is a place in the round, where nothing is chosen.
      const places = options.length + 1;
      const next = isOpen ? (activeIndex + 1 + step + places) % places : step === 1 ? 1 : places - 1;
      setActiveHref(options[next - 1]?.href ?? null);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      setWantsOpen(false);
      setActiveHref(null);
    } else if (event.key === 'Enter' && isOpen && activeIndex >= 0) {
      event.preventDefault();
      document.getElementById(optionId(listId, activeIndex))?.click();
    }
  });

  useEffect(() => {
    const { form } = input;
    const listeners = new AbortController();
    const { signal } = listeners;
    input.addEventListener('input', () => onInput(), { signal });
    input.addEventListener('focus', () => onFocus(), { signal });
    input.addEventListener('keydown', (event) => onKey(event), { signal });
    form?.addEventListener('focusout', (event) => onLeave(event), { signal });
    form?.addEventListener('submit', (event) => onSubmit(event), { signal });
    void readRecentSearches().then((kept) => {
      if (!signal.aborted) setRecent(kept);
    });
    const stopWatching = watchRecentSearches(setRecent);
    return () => {
      listeners.abort();
      stopWatching();
    };
  }, [input]);

  useEffect(() => {
    const attributes = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-controls': listId,
      'aria-expanded': String(isOpen),
    };
    for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
    const active = optionId(listId, activeIndex);
    if (isOpen && activeIndex >= 0) {
      input.setAttribute('aria-activedescendant', active);
      document.getElementById(active)?.scrollIntoView({ block: 'nearest' });
    } else {
      input.removeAttribute('aria-activedescendant');
    }
  }, [input, listId, isOpen, activeIndex]);

  return (
    <>
      <SuggestionList
        id={listId}
        isOpen={isOpen}
        groups={groups}
        activeHref={activeHref}
        answer={answer}
        note={note}
        timeZone={timeZone}
        onChoose={choose}
        onForget={!isAsking && options.length > 0 ? () => void forgetRecentSearches() : null}
      />
      <div role="status">
        <VisuallyHidden>{isOpen && isAsking && (failed ? note : answer && announcement(answer))}</VisuallyHidden>
      </div>
    </>
  );
}

function noteOf(answer: ReturnType<typeof useAnswer>['answer'], failed: boolean): string | null {
  if (failed) return 'Suggestions cannot be loaded now. Press Enter to search.';
  if (!answer) return null;
  if (answer.total === 0) return `No results for “${answer.query}”. Press Enter for ideas.`;
  return answer.matching === 'all' ? null : `No results for “${answer.query}”. This is close:`;
}

// Where space is short the field stands in a popover, which a page that is chosen would open under.
function closePanel(input: HTMLInputElement): void {
  const panel = input.closest<HTMLElement>('[popover]');
  if (panel?.matches(':popover-open')) panel.hidePopover();
}
