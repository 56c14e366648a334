import type { PostSummary } from '@/lib/posts/schema';
import styles from './post-list.module.scss';
import { PostRow } from './post-row';

type PostListProps = { posts: readonly PostSummary[]; timeZone: string };

/** Posts one below the other, in the order given. */
export function PostList({ posts, timeZone }: PostListProps) {
  return (
    <ul className={styles.list}>
      {posts.map((post) => (
        <PostRow key={post.reference} post={post} timeZone={timeZone} />
      ))}
    </ul>
  );
}
