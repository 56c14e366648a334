import 'server-only';
export { keyFile, nextKeyFile, whyCannotSign } from './keys';
export { appendChecked, areCommitmentsDue, lockLedger, openCommitments, recordTips, signLedger } from './ledger';
export { movePrivateKeys, rotateLedgerKey } from './rotate-key';
export { askWitnesses } from './witnesses';
