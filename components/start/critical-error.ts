import { refreshPage } from '../state/version-refresh';
import button from '../ui/button.module.scss';
import styles from './critical-error.module.scss';

/**
 * Spec §8: raises the critical-error flag on the page and says in an alert what is wrong, with a button that loads the page anew; once.
 * Made without React, for it is needed when parts of the app could not be loaded.
 */
export function showCriticalError(message: string): void {
  const { dataset } = document.documentElement;
  if (dataset.criticalError !== undefined) return;
  dataset.criticalError = '';
  const alert = document.createElement('div');
  alert.className = styles.alert ?? '';
  alert.setAttribute('role', 'alert');
  document.body.append(alert);
  const text = document.createElement('p');
  text.textContent = message;
  const refresh = document.createElement('button');
  refresh.type = 'button';
  refresh.className = [button.button, button.primary, button.medium].join(' ');
  refresh.textContent = 'Refresh the page';
  refresh.addEventListener('click', refreshPage);
  alert.append(text, refresh);
}
