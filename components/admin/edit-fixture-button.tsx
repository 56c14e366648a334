'use client';

import { useAtomValue } from 'jotai';
import { modalTable } from '../state/modal-table';
import { type EditedFixture, openModal } from '../state/modals';
import { viewerAtom } from '../state/viewer';
import { Button } from '../ui/button';

/** Opens the edit fixture modal, once it is known that staff are here. */
export function EditFixtureButton({ fixture }: { fixture: EditedFixture }) {
  const isReady = modalTable['edit fixture'].isFor(useAtomValue(viewerAtom));
  return (
    <div>
      <Button disabled={!isReady} onClick={() => openModal('edit fixture', { fixture })}>
        Edit the fixture
      </Button>
    </div>
  );
}
