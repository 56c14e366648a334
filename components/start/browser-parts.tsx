import { ForMembers } from '../account/for-members';
import { AdhesionAd } from '../ads/adhesion-ad';
import { SlipWatch } from '../bet-slip/slip-watch';
import { Islands } from '../islands/islands';
import { ModalHost } from '../modals/modal-host';

/** What only a browser shows: its own above the page, and the islands of the page. */
export function BrowserParts() {
  return (
    <>
      <AdhesionAd />
      <ModalHost />
      <SlipWatch />
      <ForMembers />
      <Islands />
    </>
  );
}
