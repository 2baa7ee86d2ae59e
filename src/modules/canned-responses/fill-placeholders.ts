/** The values of placeholders. */
export interface PlaceholderValues {
  /** The contact's; empty where none is known. */
  givenName: string
}

/** Puts values in place of the placeholders that canned responses may have, `{{ givenName }}` (2.3); leaves all others. */
export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replaceAll(/\{\{\s*givenName\s*\}\}/g, () => values.givenName)
}

/** The given name by which a contact is addressed: the profile's, else the first word of its name. */
export function givenNameOf(profile: { givenName?: string | null; name?: string | null } | null): string {
  return profile?.givenName?.trim() || (profile?.name?.trim().split(/\s+/)[0] ?? '')
}
