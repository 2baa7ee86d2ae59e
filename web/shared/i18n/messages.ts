import { signal } from '@preact/signals'
import { en, type Messages } from './en.js'

export type Locale = 'en' | 'nl' | 'de' | 'fr'

const current = signal<{ locale: Locale; messages: Messages }>({ locale: 'en', messages: en })

/** The catalogue of the user's language; components that read it are drawn again when it changes. */
export function t(): Messages {
  return current.value.messages
}

export function locale(): Locale {
  return current.value.locale
}
