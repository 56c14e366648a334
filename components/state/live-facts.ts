import { useEffect, useState } from 'react';
import { api } from './api';
import { watchTopic } from './live';
import { callOf } from './live-line';

/** What everybody may know of a topic, as it is told; null until something was. */
export function useLiveFacts<T>(topic: string): T | null {
  const [facts, setFacts] = useState<{ topic: string; value: T } | null>(null);

  useEffect(() => {
    let turn = 0;
    const stop = watchTopic(topic, (news) => {
      turn += 1;
      const asked = turn;
      const call = callOf(topic);
      if (news.facts !== undefined) setFacts({ topic, value: news.facts as T });
      else if (call)
        api<T>(call).then(
          (value) => asked === turn && setFacts({ topic, value }),
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
