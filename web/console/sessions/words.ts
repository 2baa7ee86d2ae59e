import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type SessionWords } from './words/en.js'

/** Texts of the list of sessions, in the user's language. */
export const { words, useWords: useSessionWords } = createCatalogue<SessionWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
