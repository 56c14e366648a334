// What people take when they are told to take ten characters: words, names, teams and rows of keys, said once, twice or with figures at the end.
const words = `
  password passwort contrasena motdepasse senha parola geheim secret letmein welcome hello goodbye iloveyou lovely sunshine princess
  monkey dragon master shadow superman batman spiderman starwars pokemon naruto minecraft fortnite computer internet samsung google
  facebook instagram youtube whatsapp linkedin login admin administrator root user guest test testing changeme default temporary
  qwerty qwertyui qwertyuiop qwertz qwertzuiop azerty azertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc wsxedc abcdef
  abcdefg abcdefgh abcdefghij abcdefghijkl alphabet football footballer soccer baseball basketball hockey tennis golf cricket rugby boxing
  racing horse horses jockey casino betting bettor gambler winner winning champion champions jackpot tipster tipsters tipledger odds
  liverpool arsenal chelsea everton manchester manchesterunited mancity manunited tottenham spurs newcastle westham celtic rangers
  barcelona realmadrid juventus milan bayern dortmund ajax benfica michael jennifer jessica charlie thomas daniel matthew andrew joshua
  ashley hannah nicole george robert william jordan harley hunter ranger buster tigger ginger pepper cookie chocolate butterfly flower
  summer winter spring autumn january february march april may june july august september october november december monday friday
  london england ireland scotland america australia canada trustno whatever nothing something killer freedom forever family mother
  father brother sister babygirl loveme friends superstar rockstar money millionaire lucky
`;

const common: ReadonlySet<string> = new Set(words.trim().split(/\s+/));

const rows = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn',
  '1q2w3e4r5t6y7u8i9o0p',
  'zaq12wsxcde34rfvbgt56yhn',
];

const letterFor: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
};

/** The text that a text repeats, itself when it repeats none. */
function repeated(text: string): string {
  return /^(.+?)\1+$/u.exec(text)?.[1] ?? text;
}

function isWord(text: string): boolean {
  const letters = repeated(text.replace(/[^\p{L}]/gu, ''));
  return (
    common.has(letters) ||
    [...common].some((word) => letters.startsWith(word) && common.has(letters.slice(word.length)))
  );
}

/** True for a password that is among the first that anybody would guess: a common word or two, a row of keys, one piece over and over, whatever figures stand around it. */
export function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  const piece = repeated(plain);
  if (piece.length <= 3 || rows.some((row) => row.includes(piece) || row.includes([...piece].reverse().join(''))))
    return true;
  const core = plain.replace(/^[^\p{L}@$]+|[^\p{L}@$]+$/gu, '');
  const unmasked = [...core].map((sign) => letterFor[sign] ?? sign).join('');
  const wholly = [...plain].map((sign) => letterFor[sign] ?? sign).join('');
  return [plain, core, unmasked, wholly].some((text) => text !== '' && isWord(text)) || core === '';
}
