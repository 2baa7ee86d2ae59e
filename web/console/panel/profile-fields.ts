import { words as catalogue } from '../acts/words.js'
import type { ContactPanelQuery } from '../../generated/beside.js'

export type Profile = NonNullable<NonNullable<ContactPanelQuery['conversation']>['contact']>['profile']

export interface ProfileField {
  /** `address.postalCode` (2.4). */
  key: string
  label: string
}

/** Those that the organization shows, with its labels (2.4, `profileFields`). */
export function profileFieldsOf(given: unknown): ProfileField[] {
  const fields = (given ?? {}) as Record<string, { label?: string; enabled?: boolean }>
  // By default the family name has the label of the given name (2.4): two fields of one name are one too many.
  const isAmbiguous = fields.familyName?.label === fields.givenName?.label
  return Object.entries(fields).flatMap(([key, { label, enabled }]) =>
    enabled === false || !label
      ? []
      : [{ key, label: key === 'familyName' && isAmbiguous ? catalogue.panel.fields.familyName : label }],
  )
}

export function valueAt(profile: Profile, key: string): string | null {
  let value: unknown = profile
  for (const part of key.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[part]
  return typeof value === 'string' && value !== '' ? value : null
}
