import { webhookLimits } from './schema';

/** The seconds to wait after so many tries have failed: 30, then twice as long each time. */
export const pauseSeconds = (attempts: number): number => webhookLimits.firstPauseSeconds * 2 ** (attempts - 1);

/** True for a status that says that a delivery was taken. */
export const isTaken = (status: number): boolean => status >= 200 && status < 300;

/** What is signed: the moment in whole seconds, a point, and the body as it is sent. */
export const signedText = (seconds: number, body: string): string => `${seconds}.${body}`;
