import styles from './ad-slot.module.scss';

type AdSlotProps = {
  /** What the advertising script knows the place by. */
  name: string;
};

/** Spec §4: a place for an advertisement, 320 by 103 px on mobile and 728 by 143 on desktop. It takes no room unless advertising is shown to this visitor; then it takes all of it at once. */
export function AdSlot({ name }: AdSlotProps) {
  return (
    <div className={styles.slot}>
      <div data-ad-slot={name} className={styles.place} />
    </div>
  );
}
