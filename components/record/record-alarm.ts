import button from '../ui/button.module.scss';
import styles from './record-alarm.module.scss';

/** What is wrong with the record as this browser sees it: the sentence, when it was found, the checkpoint seen before and the one that is shown, and what forgets both. */
export type RecordAlarm = { sentence: string; at: string; before: string; shown: string; beginAnew: () => void };

const foundAt = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const saving = (text: string, name: string, title: string): HTMLAnchorElement => {
  const link = document.createElement('a');
  link.href = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`;
  link.download = name;
  link.textContent = title;
  return link;
};

const pressing = (title: string, look: string, press: () => void): HTMLButtonElement => {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = [button.button, look, button.small].join(' ');
  element.textContent = title;
  element.addEventListener('click', press);
  return element;
};

/**
 * Product §14: says in an alert, on every page until the visitor begins anew, that the record is not what this browser saw before, with
 * both checkpoints to save. Made without React, so that a page which never needs it brings nothing for it.
 */
export function showRecordAlarm({ sentence, at, before, shown, beginAnew }: RecordAlarm): void {
  if (document.querySelector('[data-record-alarm]')) return;
  const alert = document.createElement('div');
  alert.className = styles.alarm ?? '';
  alert.setAttribute('role', 'alert');
  alert.dataset.recordAlarm = '';
  document.body.append(alert);
  const heading = document.createElement('p');
  heading.className = styles.heading ?? '';
  heading.textContent = 'The record is not the one that this browser saw before';
  const said = document.createElement('p');
  said.textContent = `${sentence} Found on ${foundAt.format(new Date(at))} UTC. Save both checkpoints and show them to others: with the two of them anyone can check this.`;
  const choices = document.createElement('p');
  choices.className = styles.choices ?? '';
  choices.append(
    saving(before, 'checkpoint-seen-before.txt', 'Save the one seen before'),
    saving(shown, 'checkpoint-shown-now.txt', 'Save the one shown now'),
    pressing('Hide on this page', button.secondary ?? '', () => alert.remove()),
    pressing('Forget both and start again', button.quiet ?? '', () => {
      beginAnew();
      alert.remove();
    }),
  );
  alert.append(heading, said, choices);
}
