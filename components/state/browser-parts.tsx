import { ForMembers } from '../account/for-members';
import { AdhesionAd } from '../ads/adhesion-ad';
import { LiveParts } from '../fixtures/live-parts';
import { SlipWatch } from '../bet-slip/slip-watch';
import { ModalHost } from '../modals/modal-host';
import { PlacedStatusBadges } from '../shell/placed-status-badges';

/** What only a browser shows, above the page. */
export function BrowserParts() {
  return (
    <>
      <AdhesionAd />
      <ModalHost />
      <SlipWatch />
      <PlacedStatusBadges />
      <ForMembers />
      <LiveParts />
    </>
  );
}
