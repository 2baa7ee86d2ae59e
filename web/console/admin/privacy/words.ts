import { createCatalogue } from '../../../shared/i18n/catalogue.js'
import { en, type PrivacyWords } from './words/en.js'

/** Texts of the administration's page about privacy, in the user's language. */
export const { words, useWords: usePrivacyWords } = createCatalogue<PrivacyWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
