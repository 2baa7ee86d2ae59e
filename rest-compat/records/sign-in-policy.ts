import { object, reference, serverMade, type RecordSpec } from '../record.js'
import { organizationRecord } from './organization.js'

/** The rules of sign-ins of an organization, with what it inherits. */
export const signInPolicyRecord: RecordSpec = {
  type: 'SignInPolicy',
  fields: {
    organization: reference(() => organizationRecord, { object: 'organization' }),
    own: object({ serverMade: true }),
    effective: object({ serverMade: true }),
    updatedAt: serverMade(),
  },
  populate: ['organization'],
}

/** The counts of what a change of the rules would end. */
export const signInPolicyEffectsRecord: RecordSpec = {
  type: 'SignInPolicyEffects',
  fields: { apiTokens: serverMade(), sessions: serverMade(), usersToEnrol: serverMade() },
  populate: [],
}
