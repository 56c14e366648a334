export { base64urlOf, bytesOfBase64url, canonicalJson, type Json } from './canonical';
export { problemBesideSeen } from './beside-seen';
export { type CheckpointNote, logKeysOf, parseCheckpointNote } from './checkpoint-note';
export { keyIdOf, problemOfCheckpoint } from './checkpoint';
export { csvLine, decimalText } from './csv';
export { checkContent, type CheckedContent, commitmentOf, genesisHead, hashEntry } from './entry';
export { type AskConsistency, markOf, markOfNote, problemOfKept, type WitnessPolicy } from './marks';
export {
  cosign,
  isSignatureOf,
  type NoteKey,
  noteKeyOf,
  parseNote,
  parseSignatures,
  parseVkey,
  parseWitnessKey,
  signatureLine,
  signersOf,
  vkeyOf,
} from './note';
export { readLedgerPages } from './pages';
export { readLedger } from './read-ledger';
export type { LedgerItem } from './records';
export { reportSentences } from './report';
export { problemOfKeys, trustedThrough } from './rotation';
export { checkTlogProof, isTlogProof, parseTlogProof, splitTlogProofs } from './tlog-proof';
export { type Frontier, growTree, type TreeNode, treeRoot } from './tree';
export { ledgerVerdictOf, verdictIn } from './verdict';
export { problemOfTip, tipSentences } from './verify-tip';
export { type LedgerReport, verifyLedger } from './verify';
export { lookAgain, type Seen } from './watch';
export { type AddCheckpoint, decideToCosign, parseAddCheckpoint, type WitnessDecision } from './witness';
