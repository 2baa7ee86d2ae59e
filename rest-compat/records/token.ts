import { value, type RecordSpec } from '../record.js'

/** 2.1. */
export const tokenRecord: RecordSpec = {
  type: 'TokenResponse',
  fields: {
    tokenType: value(),
    token: value(),
    refreshToken: value(),
    user: value(),
    organization: value(),
    expiresAt: value(),
    scope: value(),
    secondFactorDue: value(),
  },
  populate: [],
}

/** An authenticator app that is not confirmed yet. */
export const enrolmentRecord: RecordSpec = {
  type: 'TotpEnrolment',
  fields: { id: value(), secret: value(), uri: value(), expiresAt: value() },
  populate: [],
}
