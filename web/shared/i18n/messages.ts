import { signal } from '@preact/signals'
import { en, type Messages } from './en.js'

export type Locale = 'en' | 'nl' | 'de' | 'fr'

/** In their own words. */
export const LOCALES: Readonly<Record<Locale, string>> = {
  en: 'English',
  nl: 'Nederlands',
  de: 'Deutsch',
  fr: 'Français',
}

const current = signal<{ locale: Locale; messages: Messages }>({ locale: 'en', messages: en })
/** The last that was asked for: a catalogue that comes late does not replace it. */
let wanted: Locale = 'en'

/** The catalogue of the user's language; components that read it are drawn again when it changes. */
export function t(): Messages {
  return current.value.messages
}

export function locale(): Locale {
  return current.value.locale
}

/** The first of the browser's languages that there is a catalogue of. */
export function browserLocale(languages: readonly string[] = navigator.languages): Locale {
  const known = languages.map((each) => each.slice(0, 2).toLowerCase()).find((each): each is Locale => each in LOCALES)
  return known ?? 'en'
}

/** Speaks a language from now on; the present one while it cannot be loaded. */
export async function setLocale(next: Locale): Promise<void> {
  wanted = next
  const messages = await load(next).catch(() => null)
  if (!messages || wanted !== next) return
  current.value = { locale: next, messages }
  document.documentElement.lang = next
}

async function load(next: Locale): Promise<Messages> {
  switch (next) {
    case 'nl':
      return (await import('./nl.js')).nl
    case 'de':
      return (await import('./de.js')).de
    case 'fr':
      return (await import('./fr.js')).fr
    case 'en':
      return en
  }
}
