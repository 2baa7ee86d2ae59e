import { signInPolicyEffectsRecord, signInPolicyRecord } from '../records/sign-in-policy.js'
import { body, bodyKey, record, type Route } from '../route.js'

const tag = 'SignInPolicy'
const cites = '5'

export const signInPolicyRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v2/signinpolicy',
    tag,
    operationId: 'fetchSignInPolicy',
    summary: 'Fetch the rules of sign-ins of an organization, with what it inherits.',
    cites,
    operation:
      'query SignInPolicy($organization: ID) { result: signInPolicy(organization: $organization) { ...Record } }',
    variables: {
      organization: { from: 'query', name: 'organization', description: "Default: the caller's organization." },
    },
    result: record(signInPolicyRecord),
    status: 200,
  },
  {
    method: 'PATCH',
    path: '/v2/signinpolicy',
    tag,
    operationId: 'updateSignInPolicy',
    summary: 'Change rules of sign-ins of an organization: null removes one, what is absent stays.',
    cites,
    operation: `mutation UpdateSignInPolicy($organization: ID, $patch: UpdateSignInPolicyInput!) {
      result: updateSignInPolicy(organization: $organization, patch: $patch) { ...Record }
    }`,
    variables: { organization: bodyKey('organization'), patch: body },
    result: record(signInPolicyRecord),
    status: 200,
  },
  {
    method: 'POST',
    path: '/v2/signinpolicy/effects',
    tag,
    operationId: 'readSignInPolicyEffects',
    summary: 'Count what a change of the rules of sign-ins would end at once, without making it.',
    cites,
    operation: `query SignInPolicyEffects($organization: ID, $patch: UpdateSignInPolicyInput!) {
      result: signInPolicyEffects(organization: $organization, patch: $patch) { ...Record }
    }`,
    variables: { organization: bodyKey('organization'), patch: body },
    result: record(signInPolicyEffectsRecord),
    status: 200,
  },
]
