import 'server-only';
export { changePassword, verifyCode, verifyGuid } from './codes';
export { deleteAccount } from './deletion';
export { changeFollowStake, followPortfolio, unfollowPortfolio } from './following';
export { signIn } from './login';
export { hashPassword } from './passwords';
export { issueChallenge, spendProof } from './proof';
export { createAccount, registerAccount, referAccount } from './registration';
export { areCodesAsked, askForCode, resendCode, sendAskedCodes } from './sent-codes';
export { closeAllSessions, closeSession, holdLogin, pruneAccounts, refreshSession } from './sessions';
export { changeSettings } from './settings';
export { resumeSession } from './sessions';
export {
  deleteUser,
  endUserSessions,
  exportUserForStaff,
  messageUser,
  reinstateUser,
  resetSecondFactor,
  setRole,
  suspendUser,
} from './staff';
export { grantAtMachine, resetSecondFactorAtMachine } from './staff-machine';
