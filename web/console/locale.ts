import type { SettingsFragment } from '../generated/session.js'
import { browserLocale, LOCALES, setLocale, type Locale } from '../shared/i18n/messages.js'

const KEY = 'switchboard locale'

/** Speaks the language that was spoken here last, else the browser's: the sign-in knows no user yet. */
export async function startLocale(): Promise<void> {
  let kept: string | null = null
  try {
    kept = localStorage.getItem(KEY)
  } catch {
    // Storage is forbidden.
  }
  await setLocale(kept !== null && kept in LOCALES ? (kept as Locale) : browserLocale())
}

/** Speaks a user's language (2.3): the one that was chosen, else the browser's. */
export function speak({ locale, localeSet }: Pick<SettingsFragment, 'locale' | 'localeSet'>): void {
  const next = localeSet ? localeOf(locale) : browserLocale()
  try {
    if (localeSet) localStorage.setItem(KEY, next)
    else localStorage.removeItem(KEY)
  } catch {
    // Then the sign-in speaks the browser's.
  }
  void setLocale(next)
}

/** The API's name of a language. */
export function userLocaleOf(locale: Locale): SettingsFragment['locale'] {
  return locale.toUpperCase() as Uppercase<Locale>
}

export function localeOf(locale: SettingsFragment['locale']): Locale {
  return locale.toLowerCase() as Lowercase<SettingsFragment['locale']>
}
