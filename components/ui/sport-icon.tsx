import styles from './sport-icon.module.scss';

/** Spec §9: sport icons are 20×20. The name of the sport stands beside it, so the picture is decoration. */
export function SportIcon({ src }: { src: string }) {
  return <img className={styles.icon} src={src} width={20} height={20} alt="" loading="lazy" />;
}
