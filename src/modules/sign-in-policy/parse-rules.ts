import { mismatch } from '../../platform/input.js'
import { parseNetwork } from '../../platform/limits/address-ranges.js'
import {
  API_TOKEN_DAYS,
  GRACE_DAYS,
  IDLE_MINUTES,
  NETWORKS_MAX,
  PASSWORD_MIN,
  SESSION_HOURS,
  type UpdateSignInPolicyInput,
} from './sign-in-policy.js'
import type { SignInRules } from './sign-in-rules.js'

type Rule = keyof SignInRules

/** Narrows what is to be changed: null removes a rule, what is absent stays. @throws BadUserInput naming the field */
export function parseRules(patch: UpdateSignInPolicyInput): Partial<SignInRules> {
  const parsed = {
    passwordMinLength: parseBetween(patch.passwordMinLength, 'passwordMinLength', PASSWORD_MIN),
    maxSessionHours: parseBetween(patch.maxSessionHours, 'maxSessionHours', SESSION_HOURS),
    allowedNetworks: parseNetworks(patch.allowedNetworks, 'allowedNetworks'),
    apiTokenNetworks: parseNetworks(patch.apiTokenNetworks, 'apiTokenNetworks'),
    apiTokenMaxDays: parseBetween(patch.apiTokenMaxDays, 'apiTokenMaxDays', API_TOKEN_DAYS),
    idleMinutes: parseBetween(patch.idleMinutes, 'idleMinutes', IDLE_MINUTES),
    passwordLogin: patch.passwordLogin,
    secondFactor: patch.secondFactor,
    graceDays: parseBetween(patch.graceDays, 'graceDays', GRACE_DAYS),
  }
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined))
}

type Given<T> = T | null | undefined

function parseBetween(value: Given<number>, field: Rule, [min, max]: readonly [number, number]): Given<number> {
  if (value === undefined || value === null) return value
  if (!Number.isInteger(value) || value < min || value > max) throw mismatch(field, value, `must be ${min} to ${max}`)
  return value
}

function parseNetworks(value: Given<string[]>, field: Rule): Given<string[]> {
  if (value === undefined || value === null) return value
  if (value.length === 0 || value.length > NETWORKS_MAX)
    throw mismatch(field, value.length, `must have 1 to ${NETWORKS_MAX} networks, or be null for any`)
  return [...new Set(value.map((network, index) => parseNetwork(network, `${field}[${index}]`)))]
}
