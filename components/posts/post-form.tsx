'use client';

import { useState } from 'react';
import { formatDate } from '@/lib/format';
import { routes } from '@/lib/routes';
import { useForm } from '../account/use-form';
import { FormStack } from '../account/form-stack';
import { MarkdownField } from '../content/markdown-field';
import type { DraftValues } from '../state/drafts';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import styles from './post-form.module.scss';
import { PostFormTips, type TipChoice } from './post-form-tips';
import { useDraft } from './use-draft';

type PostFormProps = {
  portfolioReference: string;
  /** Why a post cannot be for members, null where it can. */
  whyNotForMembers: string | null;
  /** The post that is edited, null for a new one. */
  post: { reference: string; version: number; title: string; body: string; premiumOnly: boolean; tips: readonly string[] } | null;
  tips: readonly TipChoice[];
  /** True when there are older tips than these. */
  isMore: boolean;
  limits: { longestTitle: number; longestBody: number; tips: number };
  /** The page to go on to once it is published, where that is not the post's own. */
  after?: string | undefined;
  timeZone: string;
};

const textIn = (values: DraftValues, name: string) => values[name]?.[0];

/** Writes a post or edits one; what is typed is kept on the device until it is published. */
export function PostForm({ portfolioReference, whyNotForMembers, post, tips, isMore, limits, after, timeZone }: PostFormProps) {
  const draft = useDraft(`post:${portfolioReference}:${post?.reference ?? 'new'}`);
  const [attempt] = useState(() => new Attempt());
  const [isAfresh, setAfresh] = useState(false);
  const left = isAfresh ? null : draft.left;
  const { form, problem, isSending } = useForm(async (text, all) => {
    const [{ api }, { goOn }] = await Promise.all([import('../state/api'), import('../account/go-on')]);
    const written = { title: text('title'), body: text('body'), premiumOnly: text('premiumOnly') === 'true', tips: all('tips') };
    const path = `/user/portfolio/${portfolioReference}/posts`;
    const body = post ? { ...written, version: post.version } : written;
    const { reference } = await api<{ reference: string }>(post ? `${path}/${post.reference}` : `${path}/add-post`, { method: post ? 'PUT' : 'POST', body, idempotencyKey: attempt.keyFor(body) });
    await draft.drop();
    // The page of a post for members is made for everybody else: who wrote it finds it among their own.
    goOn(after ?? (written.premiumOnly ? routes.ownPortfolioPage(portfolioReference, 'manage') : routes.post(portfolioReference, reference)));
  });
  const shown = {
    title: (left && textIn(left.values, 'title')) ?? post?.title ?? '',
    body: (left && textIn(left.values, 'body')) ?? post?.body ?? '',
    premiumOnly: left ? textIn(left.values, 'premiumOnly') === 'true' : (post?.premiumOnly ?? false),
    tips: left ? (left.values.tips ?? []) : (post?.tips ?? []),
  };

  async function startAfresh(): Promise<void> {
    await draft.drop();
    setAfresh(true);
  }

  return (
    <FormStack key={left?.savedAt ?? 'fresh'} {...form} onInput={draft.onChange}>
      {left && (
        <FormMessage kind="success">
          <p>What you wrote here until {formatDate(left.savedAt, { timeZone, style: 'day-time' })} and did not publish was brought back.</p>
          <Button look="quiet" size="small" onClick={() => void startAfresh()}>
            {post ? 'Go back to the post as it is' : 'Begin afresh'}
          </Button>
        </FormMessage>
      )}
      {draft.isShared && <p className={styles.note}>You are writing here in another window too. Each window keeps its own text.</p>}
      <noscript>
        <p>Your browser’s script is switched off. What you write here can be sent once it is on.</p>
      </noscript>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <Field name="title" label="Title" maxLength={limits.longestTitle} required data-missing="Give the post a title." defaultValue={shown.title} error={problem.fields.title} />
      <MarkdownField
        name="body"
        label="Text"
        hint="Markdown: **bold**, *italic*, # a heading, - a list, [words](https://an.address)."
        rows={16}
        maxLength={limits.longestBody}
        required
        missing="Write the text."
        takesPictures
        defaultValue={shown.body}
        error={problem.fields.body}
      />
      <PostFormTips portfolioReference={portfolioReference} tips={tips} isMore={isMore} chosen={shown.tips} most={limits.tips} error={problem.fields.tips} timeZone={timeZone} />
      {whyNotForMembers === null ? (
        <FieldCheck name="premiumOnly" label="For members only: others see the title, and neither text nor tips." defaultChecked={shown.premiumOnly} error={problem.fields.premiumOnly} />
      ) : (
        <p className={styles.note}>Everybody can read this post: {whyNotForMembers}.</p>
      )}
      {post && <p className={styles.note}>The page will say that the post was edited. What it says now is kept with its date.</p>}
      <div>
        <Button type="submit" disabled={isSending || !form.noValidate}>
          {isSending ? 'Publishing…' : post ? 'Publish the change' : 'Publish the post'}
        </Button>
      </div>
    </FormStack>
  );
}
