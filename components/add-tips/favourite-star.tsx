import { Star } from 'lucide-react';
import { Icon } from '../ui/icon';
import { singlePress } from '../ui/single-press';
import { useAlive } from '../ui/use-alive';
import styles from './favourite-star.module.scss';

type FavouriteStarProps = { name: string; isOn: boolean; onChange: (isOn: boolean) => void };

/** Makes something a favourite, which stands first from then on. */
export function FavouriteStar({ name, isOn, onChange }: FavouriteStarProps) {
  const isAlive = useAlive();
  return (
    <button
      type="button"
      disabled={!isAlive}
      className={styles.star}
      aria-pressed={isOn}
      aria-label={`Favourite: ${name}`}
      onClick={singlePress(() => onChange(!isOn))}
    >
      <Icon of={Star} />
    </button>
  );
}
