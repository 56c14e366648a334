/** Why no news go to an address: its server refused a mail, a mail came back later, or staff stopped them. */
export type BounceKind = 'refused' | 'returned' | 'staff';

/** Why no news go to an address, in words. */
export const bounceTitles: Readonly<Record<BounceKind, string>> = {
  refused: 'Refused',
  returned: 'Came back',
  staff: 'By staff',
};

/** What a stop means, in the words of who runs the site. */
export const bounceMeanings: Readonly<Record<BounceKind, string>> = {
  refused:
    'The mail server said at the door that there is no such recipient (a hard bounce). A mail that was asked for, such as a code, still goes, and lifts this once it arrives.',
  returned:
    'The mail was taken and came back later with a report that it cannot be brought (a hard bounce). A mail that was asked for, such as a code, still goes, and lifts this once it arrives.',
  staff:
    'Staff stopped news to this address. Mails that were asked for, such as codes, still go, and do not lift this.',
};

/** What a stop by staff says of itself where a mail server has said nothing. */
export const stoppedByStaff = 'Stopped by staff.';

/** Which kind of stop it is, by what is stored of it. */
export function bounceKind(because: string, byStaff: boolean): BounceKind {
  if (byStaff) return 'staff';
  return because.startsWith('Came back:') ? 'returned' : 'refused';
}
