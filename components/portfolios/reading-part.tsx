'use client';

import useSWR from 'swr';
import type { PostPage, PostView } from '@/lib/posts/schema';
import type { TipPage, TipView } from '@/lib/tips/schema';
import { PostList } from '../posts/post-list';
import { PostReading } from '../posts/post-reading';
import { api } from '../state/api';
import type { ViewerState } from '../state/viewer';
import { TipList } from '../tips/tip-list';
import { TipReading } from '../tips/tip-reading';
import { ButtonLink } from '../ui/button-link';
import { viewingOf } from '../viewing/viewing';

type Member = Extract<ViewerState, { kind: 'member' }>;
type ReadingProps = { place: DOMStringMap; viewer: Member };

/** The answer of a call with the member's own rights, null until it has come. */
function useOwn<T>({ user }: Member, path: string, skip?: string): T | null {
  return (
    useSWR<T>([user.username, path, skip], () => api<T>(path, { query: { skip } }), { shouldRetryOnError: false })
      .data ?? null
  );
}

/** What a member sees at a place of the page; nothing where that is what guests see. */
export function ReadingPart(props: ReadingProps) {
  switch (props.place.reading) {
    case 'post':
      return <OwnPost {...props} />;
    case 'posts':
      return <OwnPosts {...props} />;
    case 'tip':
      return <OwnTip {...props} />;
    case 'tips':
      return <OwnTips {...props} />;
    default:
      return <OwnerLink {...props} />;
  }
}

function OwnPost({ place: { portfolio, post: reference, tips, locked }, viewer }: ReadingProps) {
  const post = useOwn<PostView>(viewer, `/portfolio/${portfolio}/posts/${reference}`);
  const opens = post !== null && post.lock === null && (locked === 'true' || post.tipItems.length !== Number(tips));
  return opens ? <PostReading post={post} {...viewingOf(viewer)} /> : null;
}

function OwnPosts({ place: { portfolio, skip }, viewer }: ReadingProps) {
  const page = useOwn<PostPage>(viewer, `/portfolio/${portfolio}/posts`, skip);
  const opens = page?.items.some(({ premiumOnly, lock }) => premiumOnly && lock === null);
  return page && opens ? <PostList posts={page.items} {...viewingOf(viewer)} /> : null;
}

const isOpened = ({ lock, free, hidden, started }: TipView) => lock === null && !started && (hidden || !free);

function OwnTip({ place: { portfolio, tip: reference }, viewer }: ReadingProps) {
  const tip = useOwn<TipView>(viewer, `/portfolio/${portfolio}/tips/${reference}`);
  return tip && tip.lock === null ? <TipReading tip={tip} {...viewingOf(viewer)} /> : null;
}

function OwnTips({ place: { portfolio, skip, most }, viewer }: ReadingProps) {
  const page = useOwn<TipPage>(viewer, `/portfolio/${portfolio}/tips`, skip);
  return page?.items.some(isOpened) ? (
    <TipList tips={page.items.slice(0, Number(most))} {...viewingOf(viewer)} />
  ) : null;
}

function OwnerLink({ place: { portfolio, href = '', title }, viewer }: ReadingProps) {
  const isOwner = viewer.portfolios.some(({ reference }) => reference === portfolio);
  return isOwner ? (
    <ButtonLink look="secondary" size="small" href={href}>
      {title}
    </ButtonLink>
  ) : null;
}
