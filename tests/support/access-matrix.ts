import { type Known, known } from './access-kinds';
import { callsByKind } from './access-calls';
import { pagesByKind } from './access-pages';

/** Who the table has a row for: a guest, everybody with an account, and whoever comes to a call with a token that is good for nothing. */
export type Row = 'guest' | Known | 'bad token';

/** A kind of access of calls. */
export type CallKind = keyof typeof callsByKind;
/** A kind of what gives somebody what is for members. */
export type ReadKind = (typeof readKinds)[number];
/** A kind of access of pages. */
export type PageKind = keyof typeof pagesByKind;

/** What a call answers: lets in, or why it does not. */
export const callAnswers = [
  'yes',
  'sign in',
  'renew',
  'confirm',
  'suspended',
  'not owner',
  'missing',
  'not staff',
  'factor',
] as const;
/** What a page answers: it is seen, as everybody's or as one's own, is not there, or leads elsewhere. */
export const pageAnswers = ['seen', 'own', 'missing', 'login', 'verify', 'dashboard', 'factor', 'admin'] as const;

export type CallAnswer = (typeof callAnswers)[number];
export type PageAnswer = (typeof pageAnswers)[number];

/** Spec §6: what each visitor is answered by a call of each kind. */
export const callMatrix = read<CallKind, Row, CallAnswer>(
  Object.keys(callsByKind),
  ['guest', ...known, 'bad token'],
  callAnswers,
  `
                    unidentified  public  member   member write  confirmed  confirmed write  owner      owner post  owner write  staff entry  staff
  guest             yes           yes     sign in  sign in       sign in    sign in          sign in    sign in     sign in      sign in      sign in
  unverified        yes           yes     yes      yes           confirm    confirm          not owner  confirm     confirm      not staff    not staff
  member            yes           yes     yes      yes           yes        yes              not owner  missing     not owner    not staff    not staff
  trial             yes           yes     yes      yes           yes        yes              not owner  missing     not owner    not staff    not staff
  active            yes           yes     yes      yes           yes        yes              not owner  missing     not owner    not staff    not staff
  past due          yes           yes     yes      yes           yes        yes              not owner  missing     not owner    not staff    not staff
  overdue           yes           yes     yes      yes           yes        yes              not owner  missing     not owner    not staff    not staff
  cancelled         yes           yes     yes      yes           yes        yes              not owner  missing     not owner    not staff    not staff
  ended             yes           yes     yes      yes           yes        yes              not owner  missing     not owner    not staff    not staff
  member elsewhere  yes           yes     yes      yes           yes        yes              not owner  missing     not owner    not staff    not staff
  pro in team       yes           yes     yes      yes           yes        yes              not owner  missing     not owner    not staff    not staff
  pro out of team   yes           yes     yes      yes           yes        yes              not owner  missing     not owner    not staff    not staff
  pro ended         yes           yes     yes      yes           yes        yes              not owner  missing     not owner    not staff    not staff
  owner             yes           yes     yes      yes           yes        yes              yes        yes         yes          not staff    not staff
  other owner       yes           yes     yes      yes           yes        yes              not owner  missing     not owner    not staff    not staff
  admin             yes           yes     yes      yes           yes        yes              not owner  missing     not owner    yes          yes
  super admin       yes           yes     yes      yes           yes        yes              not owner  missing     not owner    yes          yes
  unproven staff    yes           yes     yes      yes           yes        yes              not owner  missing     not owner    yes          factor
  suspended staff   yes           yes     yes      suspended     yes        suspended        not owner  missing     suspended    suspended    suspended
  bad token         yes           renew   renew    renew         renew      renew            renew      renew       renew        renew        renew
`,
);

/** Spec §2.4, §4, §6: what each visitor is answered by a page of each kind. */
export const pageMatrix = read<PageKind, 'guest' | Known, PageAnswer>(
  Object.keys(pagesByKind),
  ['guest', ...known],
  pageAnswers,
  `
                    everybody  anybody  not there  to confirm  member  reading  bought   not bought  owner    owner, open path  staff      of staff   staff entry
  guest             seen       seen     missing    seen        login   login    login    login       login    dashboard         login      login      login
  unverified        seen       seen     missing    own         verify  verify   verify   verify      verify   verify            verify     verify     verify
  member            seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           dashboard  dashboard  dashboard
  trial             seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           dashboard  dashboard  dashboard
  active            seen       seen     missing    dashboard   own     own      own      missing     missing  missing           dashboard  dashboard  dashboard
  past due          seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           dashboard  dashboard  dashboard
  overdue           seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           dashboard  dashboard  dashboard
  cancelled         seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           dashboard  dashboard  dashboard
  ended             seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           dashboard  dashboard  dashboard
  member elsewhere  seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           dashboard  dashboard  dashboard
  pro in team       seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           dashboard  dashboard  dashboard
  pro out of team   seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           dashboard  dashboard  dashboard
  pro ended         seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           dashboard  dashboard  dashboard
  owner             seen       seen     missing    dashboard   own     own      missing  missing     own      own               dashboard  dashboard  dashboard
  other owner       seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           dashboard  dashboard  dashboard
  admin             seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           own        missing    admin
  super admin       seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           own        missing    admin
  unproven staff    seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           factor     factor     own
  suspended staff   seen       seen     missing    dashboard   own     own      missing  missing     missing  missing           dashboard  dashboard  dashboard
`,
);

const readKinds = ['reads', 'hears', 'bets', 'is welcomed', 'owns', 'rules', 'by role', 'is told'] as const;

/**
 * Spec §4: whom a call or page of each kind gives what a portfolio has for its members: whoever reads it; hears of it, as they follow; bets on it by a
 * rule; is welcomed as a member; owns it; rules over it, second factor shown; reads it by their role alone. `is told` is to whom GET /user says that
 * it is open: a role is known without.
 */
export const readMatrix = read<ReadKind, 'guest' | Known, 'yes' | 'no'>(
  readKinds,
  ['guest', ...known],
  ['yes', 'no'],
  `
                    reads  hears  bets  is welcomed  owns  rules  by role  is told
  guest             no     no     no    no           no    no     no       no
  unverified        no     no     no    no           no    no     no       no
  member            no     no     no    no           no    no     no       no
  trial             yes    yes    yes   yes          no    no     no       yes
  active            yes    yes    yes   yes          no    no     no       yes
  past due          yes    yes    yes   yes          no    no     no       yes
  overdue           no     no     no    no           no    no     no       no
  cancelled         yes    yes    yes   yes          no    no     no       yes
  ended             no     no     no    no           no    no     no       no
  member elsewhere  no     no     no    no           no    no     no       no
  pro in team       yes    yes    yes   yes          no    no     no       yes
  pro out of team   no     no     no    no           no    no     no       no
  pro ended         no     no     no    no           no    no     no       no
  owner             yes    no     no    no           yes   no     no       yes
  other owner       no     no     no    no           no    no     no       no
  admin             yes    yes    yes   no           no    yes    yes      no
  super admin       yes    yes    yes   no           no    yes    yes      no
  unproven staff    yes    yes    yes   no           no    no     yes      no
  suspended staff   yes    yes    no    no           no    no     yes      no
`,
);

type Matrix<K extends string, R extends string, A extends string> = Readonly<Record<R, Readonly<Record<K, A>>>>;

/** A table as it is written, cells apart by two blanks or more; throws where a row or a column is missing, too many or holds another word. */
function read<K extends string, R extends string, A extends string>(
  kinds: readonly string[],
  rows: readonly R[],
  answers: readonly A[],
  text: string,
): Matrix<K, R, A> {
  const [head = [], ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));
  const wrong = [
    ...unmatched(head, kinds),
    ...unmatched(
      lines.map(([row = '']) => row),
      rows,
    ),
    ...lines.flatMap(([row, ...cells]) => [
      ...(cells.length === head.length ? [] : [`${row} has ${cells.length} cells, not ${head.length}`]),
      ...cells.filter((cell) => !answers.includes(cell as A)).map((cell) => `${row} is answered “${cell}”`),
    ]),
  ];
  if (wrong.length > 0) throw new Error(`The access matrix does not hold together: ${wrong.join('; ')}.`);
  return Object.fromEntries(
    lines.map(([row, ...cells]) => [row, Object.fromEntries(cells.map((cell, place) => [head[place], cell]))]),
  ) as Matrix<K, R, A>;
}

/** What is wrong with the rows of a table of what there is, in words; nothing where each thing has one. */
export function unmatched(rows: readonly string[], found: readonly string[]): string[] {
  return [
    ...found.filter((name) => !rows.includes(name)).map((name) => `${name} has no row in the access matrix`),
    ...rows
      .filter((name) => !found.includes(name))
      .map((name) => `the access matrix has a row for ${name}, which is not there`),
    ...rows
      .filter((name, place) => rows.indexOf(name) < place)
      .map((name) => `${name} has two rows in the access matrix`),
  ];
}
