import { type ContentLink, type ContentView, type SectionKind, sections } from '@/lib/content/schema';
import { routes } from '@/lib/routes';
import { SectionHeading } from '../ui/section-heading';
import { SiteLink } from '../ui/site-link';
import styles from './content-ways.module.scss';

type ContentWaysProps = { page: Pick<ContentView<SectionKind>, 'kind' | 'previous' | 'next' | 'related'> };

const hrefOf = ({ kind, reference }: ContentLink) => routes.content(kind, reference);

/** Where to read on: what belongs to a page, and its neighbours in its section. */
export function ContentWays({ page: { kind, previous, next, related } }: ContentWaysProps) {
  return (
    <>
      {related.length > 0 && (
        <section aria-labelledby="related" className={styles.related}>
          <SectionHeading id="related">Read on</SectionHeading>
          <ul>
            {related.map((link) => (
              <li key={hrefOf(link)}>
                <SiteLink href={hrefOf(link)}>{link.title}</SiteLink>
                {link.kind !== kind && link.kind !== 'pages' && <span>{sections[link.kind].title}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {(previous || next) && (
        <nav aria-label={sections[kind].title} className={styles.ways}>
          {previous && (
            <SiteLink href={hrefOf(previous)} rel="prev">
              <span>Previous</span>
              {previous.title}
            </SiteLink>
          )}
          {next && (
            <SiteLink href={hrefOf(next)} rel="next" className={styles.next}>
              <span>Next</span>
              {next.title}
            </SiteLink>
          )}
        </nav>
      )}
    </>
  );
}
