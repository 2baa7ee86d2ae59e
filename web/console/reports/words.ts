import { createCatalogue } from '../../shared/i18n/catalogue.js'
import { en, type ReportWords } from './words/en.js'

/** Texts of the reports and the wallboard in the user's language. */
export const { words, useWords: useReportWords } = createCatalogue<ReportWords>(en, {
  nl: async () => (await import('./words/nl.js')).nl,
  de: async () => (await import('./words/de.js')).de,
  fr: async () => (await import('./words/fr.js')).fr,
})
