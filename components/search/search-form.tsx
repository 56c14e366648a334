import { routes } from '@/lib/routes';
import { searchLimits } from '@/lib/search/schema';
import { Button } from '../ui/button';
import styles from './search-form.module.scss';

type SearchFormProps = { question: string };

/** The form of the search page, which sends its words as the page's own address. */
export function SearchForm({ question }: SearchFormProps) {
  return (
    <form action={routes.search()} method="get" className={styles.form} aria-label="Search again">
      <input
        type="search"
        name="q"
        className={styles.input}
        // A new question is a new field, or the browser would keep what was typed for the last.
        key={question}
        defaultValue={question}
        maxLength={searchLimits.longestQuestion}
        aria-label="What to look for"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
      />
      <Button type="submit">Search</Button>
    </form>
  );
}
