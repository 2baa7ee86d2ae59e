import { computed } from '@preact/signals'
import { address } from '../shared/router.js'

export type ListName = 'queue' | 'mine' | 'inbox'

/** Views of conversations whoever has them: what is shown is asked for, not told. */
export const VIEWS = ['open', 'waiting', 'active', 'snoozed', 'undelivered', 'closed'] as const
export type ViewName = (typeof VIEWS)[number]

export const isView = (list: string): list is ViewName => (VIEWS as readonly string[]).includes(list)

export type Route =
  | { page: 'list'; list: ListName | ViewName }
  | { page: 'thread'; key: string; joins: boolean }
  | { page: 'search' | 'settings' | 'admin' | 'reports' | 'contacts'; rest: string }
  | { page: 'forgot' }
  | { page: 'choosePassword'; purpose: 'invitation' | 'reset' }
  | { page: 'unknown' }

const PREFIX = '/console'
const UNKNOWN = { page: 'unknown' } as const

/** The page that the address names. `CONSOLE_PATHS` of `web/entries.mjs` lists the same for the server. */
export const route = computed<Route>(() => {
  const url = new URL(address.value, location.origin)
  const [name = '', ...rest] = url.pathname.slice(PREFIX.length + 1).split('/')
  if (name === 'c' && rest[0]) {
    const key = decoded(rest[0])
    return key === null ? UNKNOWN : { page: 'thread', key, joins: url.searchParams.has('join') }
  }
  if (name === 'search' || name === 'settings' || name === 'admin' || name === 'reports' || name === 'contacts')
    return { page: name, rest: rest.join('/') }
  if (name === 'forgot') return { page: 'forgot' }
  if (name === 'invitation' || name === 'reset') return { page: 'choosePassword', purpose: name }
  if (rest.join('') !== '') return UNKNOWN
  if (name === 'mine' || name === 'inbox' || isView(name)) return { page: 'list', list: name }
  return name === 'queue' || name === '' ? { page: 'list', list: 'queue' } : UNKNOWN
})

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

export function listPath(list: ListName | ViewName): string {
  return `${PREFIX}/${list}`
}

/** The page of a contact. */
export function contactPath(id: string): string {
  return `${PREFIX}/contacts/${id}`
}

/** @param key a slug, or an id where the slug is not known yet */
export function threadPath(key: string): string {
  return `${PREFIX}/c/${encodeURIComponent(key)}`
}
