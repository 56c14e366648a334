'use client';

import { useEffect, useState } from 'react';
import { type AnswerOf, callAddress } from '@/lib/calls';

const pauseMilliseconds = 150;
const hitsOfAKind = 3;

/** Ours (0023): from so many letters on there are suggestions. */
export const shortestSuggested = 2;

/** The last answer that came, also while the next is awaited, and whether the last question could not be asked. */
export type Answering = { answer: AnswerOf<'GET /search'> | null; failed: boolean };

/** Asks the search what is typed once the typing pauses; a question that is overtaken is called off. */
export function useAnswer(text: string): Answering {
  const [state, setState] = useState<Answering>({ answer: null, failed: false });
  const question = text.trim();
  useEffect(() => {
    if (question.length < shortestSuggested) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const ask = async () => {
      const response = await fetch(callAddress('GET /search', { query: { q: question, limit: hitsOfAKind } }), {
        signal,
      });
      if (!response.ok) throw new Error(`The search answered with ${response.status}.`);
      const answer = (await response.json()) as AnswerOf<'GET /search'>;
      if (!signal.aborted) setState({ answer, failed: false });
    };
    const timer = setTimeout(() => {
      ask().catch(() => {
        if (!signal.aborted) setState({ answer: null, failed: true });
      });
    }, pauseMilliseconds);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [question]);
  return state;
}
