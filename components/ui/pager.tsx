import { ButtonLink } from './button-link';
import styles from './pager.module.scss';

type Way = { href: string; title: string };

type PagerProps = { back?: Way | null; on?: Way | null };

/** The ways to the pages of a list before and after this one; nothing when it has but one. */
export function Pager({ back, on }: PagerProps) {
  if (!back && !on) return null;
  return (
    <nav aria-label="Pages" className={styles.pager}>
      {back && (
        <ButtonLink look="quiet" href={back.href}>
          {back.title}
        </ButtonLink>
      )}
      {on && (
        <ButtonLink look="secondary" href={on.href}>
          {on.title}
        </ButtonLink>
      )}
    </nav>
  );
}
