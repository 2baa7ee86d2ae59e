import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type PasskeyWords } from './passkey-words/en.js'

/** Texts of passkeys, in the user's language. */
export const { words, useWords: usePasskeyWords } = createCatalogue<PasskeyWords>(en, {
  nl: async () => (await import('./passkey-words/nl.js')).nl,
  de: async () => (await import('./passkey-words/de.js')).de,
  fr: async () => (await import('./passkey-words/fr.js')).fr,
})
