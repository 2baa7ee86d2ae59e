import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type SignInWords } from './words/en.js'

/** Texts of signing in: by providers, and of choosing a password, in the user's language. */
export const { words, useWords: useSignInWords } = createCatalogue<SignInWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
