/** Puts the given name of the contact in place of `{{ givenName }}` (2.3). */
export function filledIn(text: string, givenName: string): string {
  return text.replaceAll(/\{\{\s*givenName\s*\}\}/g, () => givenName)
}

/** The word by which a contact is addressed. */
export function givenNameOf(name: string | null | undefined): string {
  return name?.split(' ')[0] ?? ''
}
