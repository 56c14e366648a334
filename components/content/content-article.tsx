import type { ReactNode } from 'react';
import type { TextPart } from '@/lib/content/rules';
import type { ContentSource, SafeHtml } from '@/lib/content/schema';
import { Badge } from '../ui/badge';
import { Breadcrumb, type Crumb } from '../ui/breadcrumb';
import { Html } from '../ui/html';
import styles from './content-article.module.scss';
import { ContentDay } from './content-day';
import { ContentParts } from './content-parts';

type ContentArticleProps = {
  page: ContentSource;
  text: { html: SafeHtml; parts: TextPart[] };
  trail: Crumb[];
  kicker?: ReactNode;
  before?: ReactNode;
  children?: ReactNode;
};

/** Ours: a text of so many parts is long enough for a table of contents. */
const partsOfALongText = 3;

/** A page to read: its title, what it says in a sentence, its day, its text, and what belongs to it below. */
export function ContentArticle({ page, text, trail, kicker, before, children }: ContentArticleProps) {
  const isLong = text.parts.length >= partsOfALongText;
  return (
    <>
      <Breadcrumb trail={trail} here={page.title} />
      <article aria-labelledby="title" className={isLong ? [styles.article, styles.long].join(' ') : styles.article}>
        <header className={styles.head}>
          <h1 id="title">{page.title}</h1>
          <p className={styles.summary}>{page.summary}</p>
          <p className={styles.facts}>
            {page.demo && <Badge tone="notice">Demo data</Badge>}
            {kicker}
            <span>
              <ContentDay day={page.publishedOn} />
              {page.updatedOn && (
                <>
                  {' · updated '}
                  <ContentDay day={page.updatedOn} />
                </>
              )}
            </span>
          </p>
        </header>
        {isLong && <ContentParts parts={text.parts} />}
        <div className={styles.text}>
          {before}
          <div className={styles.body}>
            <Html html={text.html} />
          </div>
          {children}
        </div>
      </article>
    </>
  );
}
