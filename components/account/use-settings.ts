'use client';

import { useAtomValue } from 'jotai';
import { useState, useSyncExternalStore } from 'react';
import type { Settings, SettingsPatch } from '@/lib/accounts/schema';
import { patchSettings } from '../state/auth-user';
import { showFeedback } from '../state/modals';
import { viewerAtom } from '../state/viewer';
import { failureTitle, queuedMessage, settingMessages } from './settings-messages';

const never = () => () => undefined;

/** Changes one setting and says what came of it; `shown` is the new value as people read it. */
export type ChangeSetting = <N extends keyof Settings>(name: N, value: Settings[N], shown: string) => Promise<void>;

/** The member's settings as they are now, in this tab and after changes in others, `saved` without what is being changed; `first` until the browser knows them, and only then can it change them. */
export function useSettings(first: Settings): {
  settings: Settings;
  saved: Settings;
  canChange: boolean;
  change: ChangeSetting;
} {
  const viewer = useAtomValue(viewerAtom);
  // The part of the page with the form may come alive after the browser knows the member: it begins as the server drew it.
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const [chosen, setChosen] = useState<SettingsPatch>({});
  const stored = viewer.kind === 'member' ? viewer.settings : first;
  const change: ChangeSetting = async (name, value, shown) => {
    const { title, text, failure } = settingMessages[name];
    setChosen((all) => ({ ...all, [name]: value }));
    try {
      const written = await patchSettings({ [name]: value });
      showFeedback({ ...(written === 'queued' ? queuedMessage : { title, text: text(shown) }), kind: 'success' });
    } catch {
      showFeedback({ title: failureTitle, text: failure, kind: 'error' });
    } finally {
      setChosen(({ [name]: _, ...rest }) => rest);
    }
  };
  return { settings: { ...stored, ...chosen }, saved: stored, canChange: isAlive && viewer.kind === 'member', change };
}
