import { AdhesionAd } from '../ads/adhesion-ad';
import { ModalHost } from '../modals/modal-host';

/** What only a browser shows, above the page. */
export function BrowserParts() {
  return (
    <>
      <AdhesionAd />
      <ModalHost />
    </>
  );
}
