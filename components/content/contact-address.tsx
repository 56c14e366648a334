import styles from './contact-address.module.scss';

/** Where to write to, as the operator has set it. */
export function ContactAddress({ email }: { email: string | null }) {
  return (
    <p className={styles.address}>
      {email === null ? (
        'The operator of this site has not given an e-mail address yet.'
      ) : (
        <a href={`mailto:${email}`}>{email}</a>
      )}
    </p>
  );
}
