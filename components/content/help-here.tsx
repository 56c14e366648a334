import { type FooterHelp, HelpLine } from '../ui/help-line';
import styles from './help-here.module.scss';

/** Product §9: who helps where the reader is, at the head of a text. */
export function HelpHere({ help }: { help: FooterHelp }) {
  return (
    <p className={styles.help}>
      Someone to talk to: <HelpLine help={help} />
    </p>
  );
}
