'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';

/** A dialog to open, for it can only be seen so. */
export function DialogSample() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <Button look="secondary" onClick={() => setIsOpen(true)}>
        Open a dialog
      </Button>
      {isOpen && (
        <Dialog title="A dialog" onClose={() => setIsOpen(false)}>
          <p>What it is about, in a sentence or two.</p>
        </Dialog>
      )}
    </div>
  );
}
