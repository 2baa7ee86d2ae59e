/** Keywords that carriers recognize, in English and this product's other languages (2.3, locale). */
const STOP: ReadonlySet<string> = new Set([
  'STOP',
  'STOPALL',
  'STOP ALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPTOUT',
  'OPT OUT',
  'OPT-OUT',
  'AFMELDEN',
  'STOPP',
  'ABMELDEN',
  'ARRET',
  'ARRÊT',
  'DESABONNER',
  'DÉSABONNER',
])
const START: ReadonlySet<string> = new Set([
  'START',
  'UNSTOP',
  'YES',
  'OPTIN',
  'OPT IN',
  'OPT-IN',
  'AANMELDEN',
  'ANMELDEN',
])

/**
 * Recognizes a request to get no more messages (`stop`) or to get them again (`start`): the text must be such a word
 * and nothing else, in any case, with or without a full stop.
 */
export function optOutWord(text: string): 'stop' | 'start' | null {
  const word = text
    .normalize('NFC')
    .trim()
    .replace(/[.!]+$/, '')
    .replace(/\s+/g, ' ')
    .toUpperCase()
  if (STOP.has(word)) return 'stop'
  return START.has(word) ? 'start' : null
}
