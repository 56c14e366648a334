import { line } from 'd3-shape';
import styles from './profit-sketch.module.scss';

const size = { width: 120, height: 32, edge: 3 };

const round = (value: number) => Math.round(value * 10) / 10;

type ProfitSketchProps = { curve: readonly number[]; label: string };

/** A profit curve as small as a word, over the line of zero; what it ends at is said by its label. Nothing of a record without a tip. */
export function ProfitSketch({ curve, label }: ProfitSketchProps) {
  if (curve.length < 2) return null;
  const { width, height, edge } = size;
  const [low, high] = [Math.min(0, ...curve), Math.max(0, ...curve)];
  const x = (index: number) => round(edge + (index * (width - 2 * edge)) / (curve.length - 1));
  const y = (profit: number) => round(edge + ((high - profit) * (height - 2 * edge)) / (high - low || 1));
  const last = curve.at(-1) ?? 0;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} className={styles.sketch}>
      <line x1={edge} x2={width - edge} y1={y(0)} y2={y(0)} className={styles.zero} />
      <path d={line<number>((_, index) => x(index), y)(curve) ?? undefined} className={styles.line} />
      <circle cx={x(curve.length - 1)} cy={y(last)} r={2.5} className={styles.end} />
    </svg>
  );
}
