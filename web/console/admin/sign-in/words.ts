import { createCatalogue } from '../../../shared/i18n/catalogue.js'
import { en, type AdminSignInWords } from './words/en.js'

/** Texts of the administration's page about sign-in, in the user's language. */
export const { words, useWords: useAdminSignInWords } = createCatalogue<AdminSignInWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
