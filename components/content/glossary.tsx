import type { ContentSummary } from '@/lib/content/schema';
import { routes } from '@/lib/routes';
import { SiteLink } from '../ui/site-link';
import styles from './glossary.module.scss';

type Term = ContentSummary<'betting-terms'>;

const figures = '0–9';

const letterOf = ({ facts: { term } }: Term) => {
  const [first = ''] = term.normalize('NFD').toUpperCase();
  return /[A-Z]/.test(first) ? first : figures;
};

const idOf = (letter: string) => `letter-${letter === figures ? 'figures' : letter.toLowerCase()}`;

/** Terms from A to Z in the order given, with the way to each letter that has some. */
export function Glossary({ terms }: { terms: readonly Term[] }) {
  const letters = [...new Set(terms.map(letterOf))].sort();
  return (
    <>
      <nav aria-label="Letters" className={styles.letters}>
        <ul>
          {letters.map((letter) => (
            <li key={letter}>
              <a href={`#${idOf(letter)}`}>{letter}</a>
            </li>
          ))}
        </ul>
      </nav>
      {letters.map((letter) => (
        <section key={letter} aria-labelledby={idOf(letter)} className={styles.part}>
          <h2 id={idOf(letter)}>{letter}</h2>
          <dl>
            {terms
              .filter((term) => letterOf(term) === letter)
              .map((term) => (
                <div key={term.reference}>
                  <dt>
                    <SiteLink href={routes.content(term.kind, term.reference)}>{term.facts.term}</SiteLink>
                  </dt>
                  <dd>{term.summary}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </>
  );
}
