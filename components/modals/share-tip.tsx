import { useState } from 'react';
import { routes } from '@/lib/routes';
import type { ModalProps } from '../state/modals';
import { Button } from '../ui/button';
import styles from './share-tip.module.scss';

type ShareTipProps = ModalProps['share tip'] & { onClose: () => void };

/** The address of a tip, that of its proof and its picture, to copy, to keep or to hand to another program. */
export function ShareTip({ portfolioReference, tipReference, title, image, onClose }: ShareTipProps) {
  const [word, setWord] = useState('');
  const url = new URL(routes.tip(portfolioReference, tipReference), location.origin).href;
  const proof = new URL(routes.ledger({ tip: tipReference }), location.origin).href;
  const text = `${title}. Recorded before the start, with its proof: ${proof}`;
  const isShareable = typeof navigator.share === 'function';

  async function copy(what: string, name: string) {
    try {
      await navigator.clipboard.writeText(what);
      setWord(`${name} copied.`);
    } catch {
      setWord('Your browser does not let this page copy. Select the text and copy it yourself.');
    }
  }

  async function share() {
    try {
      await navigator.share({ title, text, url });
      onClose();
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        setWord('Your browser could not share it. Copy the link instead.');
    }
  }

  return (
    <div className={styles.share}>
      <p>{title}</p>
      {image && (
        <img
          src={image}
          width={1200}
          height={630}
          alt={`The picture that goes with the link: ${title}`}
          className={styles.picture}
        />
      )}
      <label>
        Link to the tip
        <input readOnly value={url} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <label>
        Text with the proof
        <textarea readOnly rows={5} value={`${text}\n${url}`} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <div className={styles.actions}>
        <Button onClick={() => copy(url, 'Link')}>Copy the link</Button>
        <Button look="secondary" onClick={() => copy(`${text}\n${url}`, 'Text')}>
          Copy the text
        </Button>
        {isShareable && (
          <Button look="secondary" onClick={share}>
            Share…
          </Button>
        )}
        {image && (
          <a href={image} download={`tipledger-tip-${tipReference}.png`}>
            Download the picture
          </a>
        )}
      </div>
      <p role="status" className={styles.word}>
        {word}
      </p>
    </div>
  );
}
