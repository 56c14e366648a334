'use client';

import { useEffect, useState } from 'react';
import type { FormEvent } from 'react';
import type { Draft, DraftPlace, DraftValues } from '../state/drafts';
import { onFirst } from '../state/interaction';

const settleMilliseconds = 300;

type KeptDraft = {
  /** What an earlier window left; the form shows it from the beginning. */
  left: Draft | null;
  /** True when another window is writing at the same place. */
  isShared: boolean;
  /** To be called with each change of the form. */
  onChange: (event: FormEvent<HTMLFormElement>) => void;
  /** Forgets what is kept, as once it was sent. */
  drop: () => Promise<void>;
};

function valuesOf(form: HTMLFormElement): DraftValues {
  const data = new FormData(form);
  return Object.fromEntries([...new Set(data.keys())].map((name) => [name, data.getAll(name).filter((value) => typeof value === 'string')]));
}

/** Writes what was typed last, once, to where the window has its place. */
class DraftWriter {
  own: DraftPlace | null = null;
  typed: DraftValues | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly place: string) {}

  begin(own: DraftPlace): void {
    this.own = own;
  }

  end(): void {
    this.own?.release();
    this.own = null;
  }

  later(values: DraftValues): void {
    this.typed = values;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.now(), settleMilliseconds);
  }

  async now(): Promise<void> {
    clearTimeout(this.#timer);
    const { own, typed: values } = this;
    if (!own || !values) return;
    this.typed = null;
    const { keepDraft } = await import('../state/drafts');
    await keepDraft(this.place, { id: own.id, values, savedAt: new Date().toISOString() });
  }

  async drop(): Promise<void> {
    clearTimeout(this.#timer);
    this.typed = null;
    const { dropDraft } = await import('../state/drafts');
    if (this.own) await dropDraft(this.place, this.own.id);
  }
}

/** Keeps what is typed into a form of this place on the device, each window its own, until it is sent; what was left unsent comes back. */
export function useDraft(place: string): KeptDraft {
  const [writer] = useState(() => new DraftWriter(place));
  const [found, setFound] = useState<Pick<DraftPlace, 'left' | 'isShared'>>({ left: null, isShared: false });

  useEffect(() => {
    let isLeft = false;
    const open = async () => {
      const { openDraft } = await import('../state/drafts');
      if (isLeft) return;
      const own = await openDraft(writer.place);
      if (isLeft) return own.release();
      writer.begin(own);
      // Who has begun to write already is not written over: what was left waits for the next time.
      setFound({ left: writer.typed ? null : own.left, isShared: own.isShared });
    };
    // A draft is kept under its writer's name.
    const stopWaiting = onFirst(['member'], () => void open());
    const saveNow = () => void writer.now();
    document.addEventListener('visibilitychange', saveNow);
    window.addEventListener('pagehide', saveNow);
    return () => {
      isLeft = true;
      stopWaiting();
      saveNow();
      document.removeEventListener('visibilitychange', saveNow);
      window.removeEventListener('pagehide', saveNow);
      writer.end();
    };
  }, [writer]);

  return { ...found, onChange: ({ currentTarget }) => writer.later(valuesOf(currentTarget)), drop: () => writer.drop() };
}
