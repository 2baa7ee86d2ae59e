import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type SecurityWords } from './words/en.js'

/** Texts of the second factor, in the user's language. */
export const { words, useWords: useSecurityWords } = createCatalogue<SecurityWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
