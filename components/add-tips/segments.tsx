import styles from './segments.module.scss';

type SegmentsProps<T extends string | number> = {
  label: string;
  choices: readonly { value: T; title: string }[];
  value: T;
  onChange: (value: T) => void;
};

/** One of a few, side by side. */
export function Segments<T extends string | number>({ label, choices, value, onChange }: SegmentsProps<T>) {
  return (
    <div role="group" aria-label={label} className={styles.segments}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.title}
        </button>
      ))}
    </div>
  );
}
