'use client';

import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { onFirst } from '../state/interaction';
import { closeModal, openModalsAtom } from '../state/modals';
import type { ModalProps, OpenModal } from '../state/modals';
import { viewerAtom } from '../state/viewer';
import { Dialog } from '../ui/dialog';
import { FeedbackRegion } from './feedback-region';
import { Fetched } from './fetched';
import { type ModalBody, modalBodies } from './modal-bodies';
import { type ModalRow, modalTable } from '../state/modal-table';

type BodyName = keyof typeof modalBodies;

const bodyNames = Object.keys(modalBodies) as BodyName[];

/** Shows the open modals, and fetches those that are for this viewer ahead by the rule of spec §4: a guest's at a touch of the page (0027). */
export function ModalHost() {
  const open = useAtomValue(openModalsAtom);
  const viewer = useAtomValue(viewerAtom);
  const dialogs = open.filter((modal): modal is OpenModal<BodyName> => modal.name !== 'feedback');
  const message = open.find((modal): modal is OpenModal<'feedback'> => modal.name === 'feedback');

  useEffect(() => {
    if (viewer.kind === 'unknown') return;
    const wanted = bodyNames.filter((name) => {
      const row: ModalRow = modalTable[name];
      return (row.isAheadFor ?? row.isFor)(viewer);
    });
    // One that fails now is fetched again when it is opened, which says so if it fails then too.
    return onFirst(viewer.kind === 'guest' ? ['interaction'] : ['load', 'interaction', 'member'], () =>
      wanted.forEach((name) => void modalBodies[name].load().catch(() => undefined)),
    );
  }, [viewer]);

  const region = (isOnTop: boolean) => <FeedbackRegion message={isOnTop ? message : undefined} />;

  return (
    <>
      {dialogs.map((modal, index) => (
        <ModalDialog
          key={modal.turn}
          name={modal.name}
          props={modal.props}
          after={region(index === dialogs.length - 1)}
        />
      ))}
      {region(dialogs.length === 0)}
    </>
  );
}

function ModalDialog<N extends BodyName>({ name, props, after }: { name: N; props: ModalProps[N]; after: ReactNode }) {
  const { title, size = 'medium', docks = false, load }: ModalBody<ModalProps[N]> = modalBodies[name];
  const close = () => closeModal(name);
  return (
    <Dialog title={title} size={size} docks={docks} onClose={close} after={after}>
      {/* The table of bodies holds that these are the body's props; JSX cannot follow that for a name that is only known to be one of them. */}
      <Fetched load={load as () => Promise<ComponentType<{ onClose: () => void }>>}>
        {(Body) => <Body {...props} onClose={close} />}
      </Fetched>
    </Dialog>
  );
}
