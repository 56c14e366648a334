import { MainFrame } from '@/components/shell/main-frame';
import { MissingPage } from '@/components/shell/missing-page';
import { sideMenuEntries } from '@/components/shell/side-menu-entries';
import { sports } from '@/lib/reference/schema/sports';

const entries = sideMenuEntries(sports);

export default function NotFound() {
  return (
    <MainFrame entries={entries}>
      <MissingPage links={entries} />
    </MainFrame>
  );
}
