/** Product §5: the most legs that a slip holds, as many as a tip has. */
export const maxSlipLegs = 12;
