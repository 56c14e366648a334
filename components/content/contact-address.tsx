import styles from './contact-address.module.scss';

/** Where to write to, as the operator has set it. */
export function ContactAddress({ email }: { email: string | null }) {
  return (
    <p className={styles.address}>
      {email === null ? (
        'The operator of this installation has set no e-mail address.'
      ) : (
        <a href={`mailto:${email}`}>{email}</a>
      )}
    </p>
  );
}
