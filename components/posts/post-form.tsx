'use client';

import { useEffect, useRef, useState } from 'react';
import { formatDate } from '@/lib/format';
import { routes } from '@/lib/routes';
import { type FieldText, type FieldTexts, useForm } from '../ui/use-form';
import { FormStack } from '../ui/form-stack';
import { MarkdownField } from '../content/markdown-field';
import type { DraftValues } from '../state/drafts';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import styles from './post-form.module.scss';
import { PostFormTips, type TipChoice } from './post-form-tips';
import { PostNow, type StoredPost } from './post-now';
import { useDraft, valuesOf } from './use-draft';

type PostFormProps = {
  portfolioReference: string;
  /** Who can read a post of this portfolio, null where its author chooses. */
  readers: string | null;
  /** The post that is edited, null for a new one. */
  post: (StoredPost & { reference: string; body: string; premiumOnly: boolean; tips: readonly string[] }) | null;
  tips: readonly TipChoice[];
  /** True when there are older tips than these. */
  isMore: boolean;
  limits: { longestTitle: number; longestBody: number; tips: number };
  timeZone: string;
};

const textIn = (values: DraftValues, name: string) => values[name]?.[0];

/** Texts that the form was given since it was made: the one that stands in it, null for that of the post, and one that waits beside it. */
type Texts = { shown: DraftValues | null; aside: DraftValues | null };

/** Writes a post or edits one; what is typed is kept on the device until it is published, and stays beside what another window or person made of the post meanwhile. */
export function PostForm({ portfolioReference, readers, post, tips, isMore, limits, timeZone }: PostFormProps) {
  const [attempt] = useState(() => new Attempt());
  const [texts, setTexts] = useState<Texts | null>(null);
  const [begun] = useState(post?.version);
  const [fetched, setFetched] = useState<StoredPost | null>(null);
  const news = useRef<HTMLDivElement>(null);
  const { form, problem, isSending, isAlive } = useForm(send);
  const draft = useDraft(`post:${portfolioReference}:${post?.reference ?? 'new'}`, form.ref);
  const { left, isLate } = draft;
  const { shown, aside } =
    texts ?? (isLate ? { shown: null, aside: left?.values ?? null } : { shown: left?.values ?? null, aside: null });
  const begunOn = Number((shown && textIn(shown, 'version')) ?? begun);
  const now = fetched && post && fetched.version > post.version ? fetched : post;
  const isBehind = now !== null && begunOn !== now.version;

  useEffect(() => {
    if (fetched) news.current?.focus();
  }, [fetched]);

  async function send(text: FieldText, all: FieldTexts): Promise<void> {
    const [{ api, ApiError }, { goOn }] = await Promise.all([import('../state/api'), import('../state/go-on')]);
    const written = {
      title: text('title'),
      body: text('body'),
      premiumOnly: text('premiumOnly') === 'true',
      tips: all('tips'),
    };
    const params = { reference: portfolioReference };
    const body = now ? { ...written, version: now.version } : written;
    try {
      const idempotencyKey = attempt.keyFor(body);
      const { reference } =
        post && now
          ? await api('PUT /user/portfolio/{reference}/posts/{post}', {
              params: { ...params, post: post.reference },
              body: { ...written, version: now.version },
              idempotencyKey,
            })
          : await api('POST /user/portfolio/{reference}/posts/add-post', { params, body: written, idempotencyKey });
      await draft.drop();
      goOn(routes.post(portfolioReference, reference));
    } catch (refusal) {
      const newer =
        now && post && refusal instanceof ApiError && refusal.status === 409
          ? await api('GET /user/portfolio/{reference}/posts/{post}', { params: { ...params, post: post.reference } })
          : null;
      if (newer === null || newer.version === now?.version) throw refusal;
      setFetched(newer);
    }
  }

  const fields = {
    title: (shown && textIn(shown, 'title')) ?? post?.title ?? '',
    body: (shown && textIn(shown, 'body')) ?? post?.body ?? '',
    premiumOnly: shown ? textIn(shown, 'premiumOnly') === 'true' : (post?.premiumOnly ?? false),
    tips: shown ? (shown.tips ?? []) : (post?.tips ?? []),
  };

  function swap(): void {
    const typed = form.ref.current && valuesOf(form.ref.current);
    if (typed) draft.setAside(typed);
    if (aside) draft.keep(aside);
    setTexts({ shown: aside, aside: typed });
  }

  async function startAfresh(): Promise<void> {
    await draft.drop();
    setTexts({ shown: null, aside: null });
  }

  return (
    <FormStack key={JSON.stringify(shown)} {...form} onInput={draft.onChange}>
      {shown && !aside && left && (
        <FormMessage kind="success">
          <p>Your unpublished text of {formatDate(left.savedAt, { timeZone, style: 'day-time' })} was restored.</p>
          <Button look="quiet" size="small" onClick={() => void startAfresh()}>
            {post ? 'Go back to the published post' : 'Start again'}
          </Button>
        </FormMessage>
      )}
      {aside && (
        <FormMessage kind="success">
          <p>
            You have another unpublished text{textIn(aside, 'title') ? `: “${textIn(aside, 'title')}”` : ''}. Both are
            kept.
          </p>
          <Button look="quiet" size="small" onClick={swap}>
            Show the other text
          </Button>
        </FormMessage>
      )}
      {draft.isShared && (
        <p className={styles.note}>You are writing here in another window too. Each window keeps its own text.</p>
      )}
      <noscript>
        <p>JavaScript is off in your browser. Turn it on to send this form.</p>
      </noscript>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      {isBehind && (
        <div ref={news} tabIndex={-1} className={styles.news}>
          <FormMessage kind="error">
            The post has changed since you started this text. The current version is shown here, your own text below it:
            copy over what you want to keep. Your text replaces it when you publish.
          </FormMessage>
          <PostNow post={now} timeZone={timeZone} />
        </div>
      )}
      {post && <input type="hidden" name="version" value={begunOn} />}
      <Field
        name="title"
        label="Title"
        maxLength={limits.longestTitle}
        required
        data-missing="Give the post a title."
        defaultValue={fields.title}
        error={problem.fields.title}
      />
      <MarkdownField
        name="body"
        label="Text"
        hint="Markdown: **bold**, *italic*, # a heading, - a list, [words](https://an.address)."
        rows={16}
        maxLength={limits.longestBody}
        required
        missing="Write the text."
        takesPictures
        defaultValue={fields.body}
        error={problem.fields.body}
      />
      <PostFormTips
        portfolioReference={portfolioReference}
        tips={tips}
        isMore={isMore}
        chosen={fields.tips}
        most={limits.tips}
        error={problem.fields.tips}
        timeZone={timeZone}
      />
      {readers === null ? (
        <FieldCheck
          name="premiumOnly"
          label="For members only: others see the title, but neither the text nor the tips."
          defaultChecked={fields.premiumOnly}
          error={problem.fields.premiumOnly}
        />
      ) : (
        <p className={styles.note}>{readers}</p>
      )}
      {post && (
        <p className={styles.note}>
          The page will say that the post was edited. What it says now is kept with its date.
        </p>
      )}
      <div>
        <Button type="submit" disabled={isSending || !isAlive}>
          {isSending ? 'Publishing…' : post ? 'Publish the change' : 'Publish the post'}
        </Button>
      </div>
    </FormStack>
  );
}
