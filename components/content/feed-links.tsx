import styles from './feed-links.module.scss';

type FeedLinksProps = {
  /** What other programs take of the page: its media type, its name and where it is. */
  feeds: readonly { type: string; title: string; path: string }[];
};

const names: Record<string, string> = {
  'application/rss+xml': 'RSS',
  'application/feed+json': 'JSON Feed',
  'text/calendar': 'Calendar',
};

/** The ways to follow a page from another program; what only programs look for is left out. */
export function FeedLinks({ feeds }: FeedLinksProps) {
  const shown = feeds.filter(({ type }) => type in names);
  const titles = [...new Set(shown.map(({ title }) => title))];
  return (
    <p className={styles.feeds}>
      {titles.map((title, index) => (
        <span key={title}>
          {index > 0 && ' · '}
          {title}:{' '}
          {shown
            .filter((feed) => feed.title === title)
            .map(({ type, path }, place) => (
              <span key={path}>
                {place > 0 && ', '}
                <a href={path} type={type} aria-label={`${title}, ${names[type]}`}>
                  {names[type]}
                </a>
              </span>
            ))}
        </span>
      ))}
    </p>
  );
}
