import { useEffect, useState } from 'react';
import { watchTopic } from './live';
import { askTopic, type FactsOf } from './live-line';

/** What everybody may know of a topic, as it is told; null until something was. */
export function useLiveFacts<T extends string>(topic: T): FactsOf<T> | null {
  const [facts, setFacts] = useState<{ topic: string; value: FactsOf<T> } | null>(null);

  useEffect(() => {
    let turn = 0;
    const stop = watchTopic(topic, (news) => {
      turn += 1;
      const asked = turn;
      if (news.facts !== undefined) setFacts({ topic, value: news.facts as FactsOf<T> });
      else
        askTopic(topic)?.then(
          (value) => asked === turn && setFacts({ topic, value: value as FactsOf<T> }),
          () => undefined,
        );
    });
    return () => {
      turn = -1;
      stop();
    };
  }, [topic]);

  return facts?.topic === topic ? facts.value : null;
}

const tickMilliseconds = 10_000;

/** The present, again and again while the page is in sight, for the minutes of what is under way. */
export function usePresent(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && setNow(new Date()), tickMilliseconds);
    return () => clearInterval(timer);
  }, []);
  return now;
}
