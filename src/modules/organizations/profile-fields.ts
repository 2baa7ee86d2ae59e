import { BadUserInput } from '../../platform/errors.js'
import { isAbsent, parseBoolean, parseFields, parseText } from '../../platform/input.js'

/** The contact profile fields of 2.4 with their labels: English, Dutch, German. */
const LABELS = {
  givenName: ['First Name', 'Voornaam', 'Vorname'],
  additionalName: ['Middle Name', 'Tussenvoegsel', 'Zweiter Vorname'],
  // 2.4 gives `First Name` "as given": a mistake of its source, kept for clients that compare labels.
  familyName: ['First Name', 'Achternaam', 'Nachname'],
  honorificPrefix: ['Prefix', 'Voorvoegsel', 'Namenspräfix'],
  honorificSuffix: ['Suffix', 'Achtervoegsel', 'Namenssuffix'],
  gender: ['Gender', 'Geslacht', 'Geschlecht'],
  worksFor: ['Company', 'Bedrijf', 'Firma'],
  telephone: ['Phone', 'Telefoon', 'Telefon'],
  email: ['Email', 'E-mail', 'E-Mail'],
  'address.streetAddress': ['Street', 'Straatnaam', 'Straße'],
  'address.streetNumber': ['Number', 'Nummer', 'Hausnummer'],
  'address.postalCode': ['Zip Code', 'Postcode', 'Postleitzahl'],
  'address.addressLocality': ['City', 'Plaats', 'Ort'],
  'address.addressRegion': ['Region', 'Provincie', 'Region'],
  'address.addressCountry': ['Country', 'Land', 'Land'],
} as const satisfies Readonly<Record<string, readonly [string, string, string]>>

export type ProfileFieldName = keyof typeof LABELS
export const PROFILE_FIELDS = Object.keys(LABELS) as ProfileFieldName[]

/** A contact's field: its label, and whether agents see it. */
export interface ProfileField {
  label: string
  enabled: boolean
}
export type ProfileFields = Partial<Record<ProfileFieldName, ProfileField>>

const LABEL_CHARS_MAX = 100

/** Returns the label of the country's language: Dutch for NL, German for DE and CH, otherwise English (2.4). */
export function defaultLabel(field: ProfileFieldName, country: string | null): string {
  const [english, dutch, german] = LABELS[field]
  switch (country?.toUpperCase()) {
    case 'NL':
      return dutch
    case 'DE':
    case 'CH':
      return german
    default:
      return english
  }
}

/** Returns the fields that agents see: the specified ones, or all with the country's default labels. */
export function effectiveProfileFields(specified: ProfileFields | null, country: string | null): ProfileFields {
  if (specified) return specified
  return Object.fromEntries(
    PROFILE_FIELDS.map((field) => [field, { label: defaultLabel(field, country), enabled: true }]),
  )
}

/**
 * Parses an object of profile field names to `{label, enabled}`. An enabled field needs a label (2.4); `enabled`
 * defaults to true.
 * @throws BadUserInput naming the field that is unknown or malformed
 */
export function parseProfileFields(value: unknown, field: string): ProfileFields {
  const given = parseFields(value, field, PROFILE_FIELDS)
  const parsed: ProfileFields = {}
  for (const [name, member] of Object.entries(given) as [ProfileFieldName, unknown][]) {
    const at = `${field}.${name}`
    const { label, enabled } = parseFields(member, at, ['label', 'enabled'])
    const isEnabled = isAbsent(enabled) ? true : parseBoolean(enabled, `${at}.enabled`)
    if (isAbsent(label)) {
      if (isEnabled)
        throw new BadUserInput(`${at}.label`, `${at}.label is required for an enabled field`, 'MISSING_VALUE')
      continue
    }
    parsed[name] = { label: parseText(label, `${at}.label`, { min: 1, max: LABEL_CHARS_MAX }), enabled: isEnabled }
  }
  return parsed
}
