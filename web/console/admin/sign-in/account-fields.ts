import { linesOf, numberIn, type Values } from '../form-dialog.js'
import { rowsIn, type MapRow } from './role-map.js'
import { words } from './words.js'

/** Choices about accounts; the last one is of SAML alone, whose providers do not say it of an email. */
export const CHECKS = ['createUsers', 'syncRoles', 'emailVerified'] as const

export const linesIn = (params: Record<string, unknown>, key: string): string =>
  ((params[key] ?? []) as string[]).join('\n')

/** Params by which people get accounts, of all types. */
export function accountsIn(values: Values, rows: readonly MapRow[]): Record<string, unknown> {
  const accounts = values.accounts as string[]
  return {
    domains: linesOf(values.domains),
    ...Object.fromEntries(CHECKS.map((key) => [key, accounts.includes(key)])),
    defaultRole: values.defaultRole,
    maxSessionHours: numberIn('maxSessionHours', values.maxSessionHours as string, words.hoursHelp),
    roleMap: rowsIn(rows),
  }
}

export const isGiven = (value: unknown): boolean =>
  value !== '' && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
