import { formatDate } from '@/lib/format';
import type { PostSummary } from '@/lib/posts/schema';
import { routes } from '@/lib/routes';
import { Badge } from '../ui/badge';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import styles from './owner-posts.module.scss';

/** The posts of a portfolio as its owner has them at hand, to read and to edit. */
export function OwnerPosts({ posts, timeZone }: { posts: readonly PostSummary[]; timeZone: string }) {
  const when = (iso: string) => <Time dateTime={iso}>{formatDate(iso, { timeZone, style: 'day-time' })}</Time>;
  return (
    <Table caption="Your posts, newest first" captionHidden>
      <thead>
        <tr>
          <th scope="col">Title</th>
          <th scope="col">Published</th>
          <th scope="col">Edited</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {posts.map(({ portfolioReference, reference, title, publishedAt, editedAt, premiumOnly }) => (
          <tr key={reference}>
            <th scope="row">
              <span className={styles.title}>
                <SiteLink href={routes.post(portfolioReference, reference)}>{title}</SiteLink>{' '}
                {premiumOnly && <Badge tone="accent">Members</Badge>}
              </span>
            </th>
            <td>{when(publishedAt)}</td>
            <td>{editedAt ? when(editedAt) : '–'}</td>
            <td>
              <SiteLink href={routes.editPost(portfolioReference, reference)} aria-label={`Edit ${title}`}>
                Edit
              </SiteLink>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
