import { Star } from 'lucide-react';
import { Icon } from '../ui/icon';
import { singlePress } from '../ui/single-press';
import styles from './favourite-star.module.scss';

type FavouriteStarProps = { name: string; isOn: boolean; onChange: (isOn: boolean) => void };

/** Makes something a favourite, which stands first from then on. */
export function FavouriteStar({ name, isOn, onChange }: FavouriteStarProps) {
  return (
    <button
      type="button"
      className={styles.star}
      aria-pressed={isOn}
      aria-label={`Favourite: ${name}`}
      onClick={singlePress(() => onChange(!isOn))}
    >
      <Icon of={Star} />
    </button>
  );
}
