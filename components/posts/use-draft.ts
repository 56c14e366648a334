'use client';

import { useEffect, useState } from 'react';
import type { FormEvent, RefObject } from 'react';
import type { Draft, DraftPlace, DraftValues } from '../state/drafts';
import { onFirst } from '../state/interaction';

const settleMilliseconds = 300;

type Found = {
  /** What an earlier window left, null without. */
  left: Draft | null;
  /** True when something was typed before that was found. */
  isLate: boolean;
  /** True when another window is writing at the same place. */
  isShared: boolean;
};

type KeptDraft = Found & {
  /** To be called with each change of the form. */
  onChange: (event: FormEvent<HTMLFormElement>) => void;
  /** Keeps a text that was put into the form. */
  keep: (values: DraftValues) => void;
  /** Keeps a text that is not in the form, so that it comes back the next time. */
  setAside: (values: DraftValues) => void;
  /** Forgets what is kept of the form, as once it was sent. */
  drop: () => Promise<void>;
};

/** What a form holds, by the names of its fields. */
export function valuesOf(form: HTMLFormElement): DraftValues {
  const data = new FormData(form);
  return Object.fromEntries(
    [...new Set(data.keys())].map((name) => [name, data.getAll(name).filter((value) => typeof value === 'string')]),
  );
}

// Also what was typed before the form was alive, of which nobody heard.
function isTyped(form: HTMLFormElement): boolean {
  return [...form.elements].some((field) => {
    if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
    if (!(field instanceof HTMLInputElement) || field.type === 'hidden' || field.type === 'file') return false;
    return field.type === 'checkbox' ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  });
}

const saysTheSame = (one: DraftValues, other: DraftValues) =>
  JSON.stringify({ ...one, version: null }) === JSON.stringify({ ...other, version: null });

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
    await this.#keep(own.id, values);
  }

  /** Nobody holds this name, so that whoever writes here next is given it. */
  async setAside(values: DraftValues): Promise<void> {
    if (this.own) await this.#keep(`${this.own.id}-aside`, values);
  }

  async drop(): Promise<void> {
    clearTimeout(this.#timer);
    this.typed = null;
    const { dropDraft } = await import('../state/drafts');
    if (this.own) await dropDraft(this.place, this.own.id);
  }

  async #keep(id: string, values: DraftValues): Promise<void> {
    const { keepDraft } = await import('../state/drafts');
    await keepDraft(this.place, { id, values, savedAt: new Date().toISOString() });
  }
}

/** Keeps what is typed into a form of this place on the device, each window its own, until it is sent; what was left unsent is found again. */
export function useDraft(place: string, form: RefObject<HTMLFormElement | null>): KeptDraft {
  const [writer] = useState(() => new DraftWriter(place));
  const [found, setFound] = useState<Found>({ left: null, isLate: false, isShared: false });

  useEffect(() => {
    let isLeft = false;
    const open = async () => {
      const { openDraft } = await import('../state/drafts');
      if (isLeft) return;
      const own = await openDraft(writer.place);
      if (isLeft) return own.release();
      writer.begin(own);
      const { left, isShared } = own;
      // A browser that reloads a page may fill in by itself what was left.
      const isLate =
        form.current !== null && isTyped(form.current) && !(left && saysTheSame(left.values, valuesOf(form.current)));
      if (isLate && form.current) {
        // What is written from now on takes the name of what was left.
        if (left) await writer.setAside(left.values);
        writer.later(valuesOf(form.current));
      }
      setFound({ left, isLate, isShared });
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
  }, [writer, form]);

  return {
    ...found,
    onChange: ({ currentTarget }) => writer.later(valuesOf(currentTarget)),
    keep: (values) => writer.later(values),
    setAside: (values) => void writer.setAside(values),
    drop: () => writer.drop(),
  };
}
