import { enrolmentRecord, tokenRecord } from '../records/token.js'
import { bodyKey, record, type Route } from '../route.js'

const tag = 'Authentication'
const result = record(tokenRecord)

export const authRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v2/auth/token',
    tag,
    isPublic: true,
    when: { bodyHas: 'refreshToken' },
    operationId: 'createToken',
    summary: 'Exchange a refresh token for new tokens, even after the access token has expired.',
    cites: '4.1',
    operation: `mutation RefreshToken($refreshToken: String!, $clientId: String!) {
      result: refreshToken(refreshToken: $refreshToken, clientId: $clientId) { ...Record }
    }`,
    variables: { refreshToken: bodyKey('refreshToken'), clientId: bodyKey('clientId') },
    result,
    status: 201,
  },
  {
    method: 'POST',
    path: '/v2/auth/token',
    tag,
    isPublic: true,
    operationId: 'createToken',
    summary: 'Sign in by email and password.',
    cites: '4.1',
    operation: `mutation CreateToken($email: String!, $password: String!, $timezone: String, $code: String, $enrolment: ID) {
      result: createToken(email: $email, password: $password, timezone: $timezone, code: $code, enrolment: $enrolment) { ...Record }
    }`,
    variables: {
      email: bodyKey('email'),
      password: bodyKey('password'),
      timezone: bodyKey('timezone'),
      code: bodyKey('code'),
      enrolment: bodyKey('enrolment'),
    },
    // Means nothing (legacy clients): a second factor is proved by `code`.
    unused: ['otp'],
    result,
    status: 201,
  },
  {
    method: 'POST',
    path: '/v2/auth/enrolment',
    tag,
    isPublic: true,
    operationId: 'enrolAtSignIn',
    summary: 'Begin to enrol an authenticator app, for who is refused with ENROLMENT_REQUIRED.',
    cites: '4.1',
    operation: `mutation EnrolAtSignIn($email: String!, $password: String!) {
      result: enrolAtSignIn(email: $email, password: $password) { ...Record }
    }`,
    variables: { email: bodyKey('email'), password: bodyKey('password') },
    result: record(enrolmentRecord),
    status: 201,
  },
  {
    method: 'GET',
    path: '/v2/auth/token',
    tag,
    operationId: 'refreshToken',
    summary: 'Exchange a refresh token for new tokens while the access token is valid.',
    cites: '4.1',
    operation: `mutation RefreshToken($refreshToken: String!) {
      result: refreshToken(refreshToken: $refreshToken) { ...Record }
    }`,
    variables: { refreshToken: { from: 'query', name: 'refreshToken', description: 'From the last token response.' } },
    result,
    status: 200,
  },
]
