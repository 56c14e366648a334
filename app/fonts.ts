import localFont from 'next/font/local';

// What stands in for the upright ones until they are there is in components/ui/font-stand-ins.scss.
const archivo = localFont({
  src: '../node_modules/@fontsource-variable/archivo/files/archivo-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-archivo',
  display: 'swap',
  adjustFontFallback: false,
});

const archivoItalic = localFont({
  src: '../node_modules/@fontsource-variable/archivo/files/archivo-latin-wght-italic.woff2',
  weight: '100 900',
  style: 'italic',
  variable: '--font-archivo-italic',
  display: 'swap',
  preload: false,
  adjustFontFallback: 'Arial',
});

// The extended sets stand first in their stacks: the range keeps them from loading until a page needs them,
// and behind the latin set the local fallback would take their characters.
const archivoExt = localFont({
  src: '../node_modules/@fontsource-variable/archivo/files/archivo-latin-ext-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-archivo-ext',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+2020, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF',
    },
  ],
});

// The text's own font and that of headings are asked for ahead of the styles, the rest when a page needs it.
// One file a weight: headings are of one, and its file is less than half of the one that has them all.
const sourceSerif = localFont({
  src: '../node_modules/@fontsource/source-serif-4/files/source-serif-4-latin-400-normal.woff2',
  weight: '400',
  variable: '--font-source-serif',
  display: 'swap',
  preload: false,
  adjustFontFallback: 'Times New Roman',
});

const sourceSerifBold = localFont({
  src: '../node_modules/@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff2',
  weight: '600',
  variable: '--font-source-serif-bold',
  display: 'swap',
  adjustFontFallback: false,
});

const sourceSerifItalic = localFont({
  src: [
    {
      path: '../node_modules/@fontsource/source-serif-4/files/source-serif-4-latin-400-italic.woff2',
      weight: '400',
      style: 'italic',
    },
    {
      path: '../node_modules/@fontsource/source-serif-4/files/source-serif-4-latin-600-italic.woff2',
      weight: '600',
      style: 'italic',
    },
  ],
  variable: '--font-source-serif-italic',
  display: 'swap',
  preload: false,
  adjustFontFallback: 'Times New Roman',
});

const sourceSerifExt = localFont({
  src: [
    {
      path: '../node_modules/@fontsource/source-serif-4/files/source-serif-4-latin-ext-400-normal.woff2',
      weight: '400',
    },
    {
      path: '../node_modules/@fontsource/source-serif-4/files/source-serif-4-latin-ext-600-normal.woff2',
      weight: '600',
    },
  ],
  variable: '--font-source-serif-ext',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+2020, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF',
    },
  ],
});

export const fontVariables = [
  archivo,
  archivoItalic,
  archivoExt,
  sourceSerif,
  sourceSerifBold,
  sourceSerifItalic,
  sourceSerifExt,
]
  .map((font) => font.variable)
  .join(' ');
