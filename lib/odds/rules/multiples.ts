const names: Readonly<Record<number, string>> = { 1: 'Single', 2: 'Double', 3: 'Treble' };

/** What bettors call a bet on so many legs: 'Double', 'Treble', '4-fold'. */
export const multipleName = (legCount: number): string => names[legCount] ?? `${legCount}-fold`;
