import { en, type Messages } from './en.js'

/** The words of a language; English while it cannot be loaded. */
export async function loadWords(language: string): Promise<Messages> {
  try {
    if (language === 'nl') return (await import('./nl.js')).nl
    if (language === 'de') return (await import('./de.js')).de
    if (language === 'fr') return (await import('./fr.js')).fr
  } catch {
    // The server went away between two files.
  }
  return en
}
