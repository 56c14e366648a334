import styles from './sport-icon.module.scss';

/** Spec §2.2, §9: a 20×20 icon, white on dark paper where there is such a variant. The name stands beside it, so the picture is decoration. */
export function SportIcon({ src, whiteSrc }: { src: string; whiteSrc?: string }) {
  return (
    <picture className={styles.picture}>
      {whiteSrc && <source media="(prefers-color-scheme: dark)" srcSet={whiteSrc} />}
      <img className={styles.icon} src={src} width={20} height={20} alt="" loading="lazy" />
    </picture>
  );
}
