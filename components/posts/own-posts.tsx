import { useAtomValue } from 'jotai';
import { useOwn } from '../state/use-own';
import { viewerAtom } from '../state/viewer';
import { formatsOf } from '../formats/formats';
import { openTips } from '@/lib/posts/rules';
import { PostList } from './post-list';
import { PostReading } from './post-reading';

type OwnPostProps = { portfolio: string; post: string; tips: number; locked: boolean };

/** A post as the member may read it, of which guests read so many `tips` open; nothing where the member reads no more. */
export function OwnPost({ portfolio, post: reference, tips, locked }: OwnPostProps) {
  const formats = formatsOf(useAtomValue(viewerAtom));
  const post = useOwn('GET /portfolio/{reference}/posts/{post}', { params: { reference: portfolio, post: reference } });
  const opens = post !== null && post.lock === null && (locked || openTips(post) !== tips);
  return opens ? <PostReading post={post} {...formats} /> : null;
}

/** A list of posts with those that open for the member; nothing where none does. */
export function OwnPosts({ portfolio, skip }: { portfolio: string; skip: number }) {
  const formats = formatsOf(useAtomValue(viewerAtom));
  const page = useOwn('GET /portfolio/{reference}/posts', { params: { reference: portfolio }, query: { skip } });
  const opens = page?.items.some(({ premiumOnly, lock }) => premiumOnly && lock === null);
  return page && opens ? <PostList posts={page.items} {...formats} /> : null;
}
