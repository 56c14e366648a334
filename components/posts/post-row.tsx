import { Lock } from 'lucide-react';
import { formatCount } from '@/lib/format';
import type { PostSummary } from '@/lib/posts/schema';
import { routes } from '@/lib/routes';
import { Badge } from '../ui/badge';
import { Icon } from '../ui/icon';
import { SiteLink } from '../ui/site-link';
import { Moment } from '../formats/moment';
import styles from './post-row.module.scss';

type PostRowProps = { post: PostSummary; timeZone: string };

/** A post in a list: its title, when it was published, and how it begins where the viewer may read it. */
export function PostRow({ post, timeZone }: PostRowProps) {
  const { portfolioReference, reference, title, publishedAt, premiumOnly, lock, excerpt, tips } = post;
  return (
    <li className={styles.row}>
      <h3>
        <SiteLink href={routes.post(portfolioReference, reference)} className={styles.link}>
          {title}
        </SiteLink>
      </h3>
      <p className={styles.facts}>
        {premiumOnly && (
          <Badge tone="accent" icon={lock && <Icon of={Lock} size="small" />}>
            Members
          </Badge>
        )}
        <span>
          <Moment at={publishedAt} style="day-time" timeZone={timeZone} />
          {tips.length > 0 && ` · ${formatCount(tips.length, 'tip', 'tips')}`}
        </span>
      </p>
      {excerpt && <p className={styles.excerpt}>{excerpt}</p>}
      {lock && <p className={styles.locked}>Its text is for the members of this portfolio.</p>}
    </li>
  );
}
