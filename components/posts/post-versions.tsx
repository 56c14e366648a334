import type { SafeHtml } from '@/lib/content/schema';
import { formatDate } from '@/lib/format';
import { Badge } from '../ui/badge';
import { Html } from '../ui/html';
import { Time } from '../ui/time';
import styles from './post-versions.module.scss';

type PostVersionsProps = {
  versions: readonly {
    version: number;
    title: string;
    html: SafeHtml;
    premiumOnly: boolean;
    writtenAt: string;
    writtenBy: string;
  }[];
  timeZone: string;
};

/** What a post said before it was edited, newest first, each with who wrote it and when. */
export function PostVersions({ versions, timeZone }: PostVersionsProps) {
  return (
    <ol className={styles.versions}>
      {versions.map(({ version, title, html, premiumOnly, writtenAt, writtenBy }) => (
        <li key={version}>
          <details>
            <summary>
              Version {version} of{' '}
              <Time dateTime={writtenAt}>{formatDate(writtenAt, { timeZone, style: 'day-time' })}</Time>, by {writtenBy}
            </summary>
            <div className={styles.text}>
              <p>
                <strong>{title}</strong> {premiumOnly && <Badge tone="accent">Members</Badge>}
              </p>
              <Html html={html} />
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}
