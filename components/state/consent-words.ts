import type { ConsentPurpose } from './consent';

const purposeWords: Record<ConsentPurpose, { title: string; description: string }> = {
  ads: {
    title: 'Advertising',
    description:
      'Lets advertisers’ scripts load and recognise your browser, which pays for the site. Without it you see no advertising at all.',
  },
  analytics: {
    title: 'Analytics',
    description: 'Lets an analytics service load and recognise your browser, so that we learn which pages are useful.',
  },
};

/** The words in which consent is asked for, with a section for each purpose that is needed. */
export function consentWords(needed: readonly ConsentPurpose[]) {
  return {
    consentModal: {
      title: 'Your choice',
      description:
        'No third-party scripts are loaded unless you agree. The site works the same if you refuse, and you can change your mind at any time.',
      acceptAllBtn: 'Accept all',
      acceptNecessaryBtn: 'Refuse all',
      showPreferencesBtn: 'Choose one by one',
    },
    preferencesModal: {
      title: 'What may be loaded',
      acceptAllBtn: 'Accept all',
      acceptNecessaryBtn: 'Refuse all',
      savePreferencesBtn: 'Save my choice',
      closeIconLabel: 'Close',
      sections: [
        {
          title: 'The site itself',
          description: 'Keeps you signed in and remembers what you chose here. It cannot be switched off.',
          linkedCategory: 'necessary',
        },
        ...needed.map((purpose) => ({ ...purposeWords[purpose], linkedCategory: purpose })),
      ],
    },
  };
}
