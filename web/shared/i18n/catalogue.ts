import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { locale, type Locale } from './messages.js'

export interface Catalogue<Words extends object> {
  /** The texts in the language that is loaded; components that read them are drawn again when it changes. */
  words: Words
  /** Loads the catalogue of the user's language. @returns whether it is there; the present one stays if it cannot be loaded */
  useWords(): boolean
}

/** The texts of screens that are loaded on their own: English with them, the other languages when they are wanted. */
export function createCatalogue<Words extends object>(
  en: Words,
  others: Readonly<Record<Exclude<Locale, 'en'>, () => Promise<Words>>>,
): Catalogue<Words> {
  const current = signal<{ locale: Locale; words: Words }>({ locale: 'en', words: en })
  const load = async (wanted: Locale): Promise<Words> => (wanted === 'en' ? en : others[wanted]())
  return {
    words: new Proxy(en, { get: (_, key) => current.value.words[key as keyof Words] }),
    useWords() {
      const wanted = locale()
      useEffect(() => {
        let isWanted = true
        load(wanted).then(
          (words) => isWanted && (current.value = { locale: wanted, words }),
          () => isWanted && (current.value = { ...current.peek(), locale: wanted }),
        )
        return () => void (isWanted = false)
      }, [wanted])
      return current.value.locale === wanted
    },
  }
}
