'use client';

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { FormEvent, MouseEvent, RefObject } from 'react';
import { checkFields } from './check-fields';

/** What was refused: a sentence for the whole form, and one for each field concerned. */
export type FormProblem = { message: string | null; fields: Readonly<Record<string, string>> };

type Form = {
  /** To be spread over the form element. */
  form: {
    ref: RefObject<HTMLFormElement | null>;
    noValidate: boolean;
    /** There until the form is alive: what is put into it before would be undone. */
    'data-waits': '' | undefined;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    /** A double click sends once. */
    onClick: (event: MouseEvent<HTMLFormElement>) => void;
  };
  problem: FormProblem;
  isSending: boolean;
  /** False until the form's script is there: what is pressed before does nothing (0118). */
  isAlive: boolean;
};

export const noProblem: FormProblem = { message: null, fields: {} };

const never = () => () => undefined;

const textOf = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
};

/** The text in a field of a form that is sent; empty without one. */
export type FieldText = (name: string) => string;

/** The texts of all fields of a name, such as boxes that are ticked. */
export type FieldTexts = (name: string) => string[];

/**
 * A form that is checked and sent by script, what was typed kept and the first wrong field focused; without script the browser sends it itself.
 * `submit` throws an error with `fields`, such as ApiError, for what the server refuses.
 */
export function useForm(
  submit: (text: FieldText, all: FieldTexts) => Promise<void>,
  first: FormProblem = noProblem,
): Form {
  const ref = useRef<HTMLFormElement>(null);
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const [isSending, setSending] = useState(false);
  const pressed = useRef<HTMLElement | null>(null);
  const [problem, setProblem] = useState<FormProblem>(() => ({ message: first.message, fields: fieldsOf(first) }));

  useEffect(() => {
    const names = Object.keys(problem.fields);
    if (names.length === 0) return;
    const marked = [...(ref.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [])];
    marked[0]?.focus();
    // What no field shows is said for the whole form: a refusal that nobody hears of is a dead button.
    const isSaid = (name: string) =>
      marked.some((control) => control.getAttribute('name') === name) ||
      ref.current?.textContent?.includes(problem.fields[name] ?? '');
    const unsaid = problem.message === null ? names.find((name) => !isSaid(name)) : undefined;
    if (unsaid !== undefined) setProblem({ ...problem, message: problem.fields[unsaid] ?? null });
  }, [problem]);

  // A button that is disabled while its form is sent loses the focus, and one who goes by key would begin again at the top of the page.
  useEffect(() => {
    if (isSending) return;
    if (document.activeElement === document.body) pressed.current?.focus({ preventScroll: true });
    pressed.current = null;
  }, [isSending]);

  async function send(form: HTMLFormElement): Promise<void> {
    const fields = checkFields(form);
    if (Object.keys(fields).length > 0) return setProblem({ message: null, fields });
    const data = new FormData(form);
    const { activeElement } = document;
    pressed.current = activeElement instanceof HTMLElement && form.contains(activeElement) ? activeElement : null;
    setSending(true);
    setProblem(noProblem);
    try {
      await submit(
        (name) => textOf(data, name),
        (name) => data.getAll(name).filter((value) => typeof value === 'string'),
      );
    } catch (error) {
      setProblem(problemOf(error, form));
    } finally {
      setSending(false);
    }
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!isSending) void send(event.currentTarget);
  }

  function onClick(event: MouseEvent<HTMLFormElement>): void {
    // What the first click did may have been done already, and the second would undo it or do it again.
    if (event.detail > 1 && event.target instanceof Element && event.target.closest('[type="submit"]'))
      event.preventDefault();
  }

  return {
    form: { ref, noValidate: isAlive, 'data-waits': isAlive ? undefined : '', onSubmit, onClick },
    problem,
    isSending,
    isAlive,
  };
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

function fieldsOf(error: unknown): Record<string, string> {
  const fields = typeof error === 'object' && error !== null && 'fields' in error ? error.fields : null;
  return typeof fields === 'object' && fields !== null
    ? Object.fromEntries(Object.entries(fields).map(([name, why]) => [name, sentence(String(why))]))
    : {};
}

/** What is said beside the fields is not said twice; what concerns no field that is shown is said for the whole form. */
function problemOf(error: unknown, form: HTMLFormElement): FormProblem {
  const fields = Object.fromEntries(
    Object.entries(fieldsOf(error)).filter(
      ([name]) => form.elements.namedItem(name) instanceof HTMLElement && !isHidden(form, name),
    ),
  );
  const message = error instanceof Error ? error.message : 'Something went wrong. Try again.';
  return { message: Object.keys(fields).length > 0 ? null : message, fields };
}

function isHidden(form: HTMLFormElement, name: string): boolean {
  const control = form.elements.namedItem(name);
  return control instanceof HTMLInputElement && control.type === 'hidden';
}
