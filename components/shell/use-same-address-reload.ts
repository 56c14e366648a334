import { useEffect } from 'react';

/** Spec §2.1: a link to the address that is already shown loads the page anew. */
export function useSameAddressReload() {
  useEffect(() => {
    function reload(event: MouseEvent) {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || link.target || link.hasAttribute('download') || link.hash || link.href !== location.href) return;
      event.preventDefault();
      location.reload();
    }
    // Before the link itself hears of it, which would go nowhere.
    document.addEventListener('click', reload, { capture: true });
    return () => document.removeEventListener('click', reload, { capture: true });
  }, []);
}
