import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type RouteWords } from './words/en.js'

/** Texts of the ways to the consumer in the user's language. */
export const { words, useWords: useRouteWords } = createCatalogue<RouteWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
