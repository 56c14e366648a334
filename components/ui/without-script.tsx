import styles from './without-script.module.scss';

/** For members whose browser runs no script, which would show them what is theirs: where they read it. */
export function WithoutScript({ href }: { href: string }) {
  return (
    <noscript>
      <p className={styles.line}>
        Are you a member? Your browser runs no scripts: <a href={href}>read it on a page of your own</a>.
      </p>
    </noscript>
  );
}
