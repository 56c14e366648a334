import { SectionHeading } from '../ui/section-heading';
import styles from './tip-analysis.module.scss';

/** Why a tipster made a tip, in their words. */
export function TipAnalysis({ text }: { text: string }) {
  return (
    <section aria-labelledby="analysis">
      <SectionHeading id="analysis">Analysis</SectionHeading>
      {text.split(/\n{2,}/).map((paragraph, index) => (
        <p key={index} className={styles.paragraph}>
          {paragraph}
        </p>
      ))}
    </section>
  );
}
