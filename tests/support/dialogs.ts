/** Gives jsdom what it lacks of native dialogs: showing, closing with its event, and the focus that a browser gives back. */
export function teachDialogs(): void {
  const openers = new WeakMap<HTMLDialogElement, Element | null>();
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      if (this.open) throw new DOMException('The dialog is open already.', 'InvalidStateError');
      openers.set(this, document.activeElement);
      this.open = true;
    },
    close(this: HTMLDialogElement) {
      if (!this.open) return;
      this.open = false;
      const opener = openers.get(this);
      if (opener instanceof HTMLElement) opener.focus();
      setTimeout(() => this.dispatchEvent(new Event('close')));
    },
  });
}

/** Escape, as the browser hands it to the dialog on top. */
export function escapeDialog(dialog: HTMLElement): void {
  const cancel = new Event('cancel', { cancelable: true });
  dialog.dispatchEvent(cancel);
  if (!cancel.defaultPrevented && dialog instanceof HTMLDialogElement) dialog.close();
}
