import { computed } from '@preact/signals'
import { address } from '../shared/router.js'
import { isView, type ViewName } from './views/view-name.js'

/** The page of what happens in the channels now. */
export const LIVE = '/console/reports/wallboard'

export type ListName = 'queue' | 'mine' | 'inbox'

/** Tells whether a list follows live changes; others are asked for. */
export const isLive = (list: string): list is ListName => list === 'queue' || list === 'mine' || list === 'inbox'

/** A view that somebody saved, by its id. */
export type SavedName = `v/${string}`

export const isSaved = (list: string): list is SavedName => list.startsWith('v/')

/** A list of conversations, as its address names it. */
export type AnyList = ListName | ViewName | SavedName

export type Route =
  | { page: 'list'; list: AnyList }
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
  if (name === 'v' && rest[0] && !rest[1]) return { page: 'list', list: `v/${rest[0]}` }
  if (rest.join('') !== '') return UNKNOWN
  if (name === '') return { page: 'list', list: 'queue' }
  return isLive(name) || isView(name) ? { page: 'list', list: name } : UNKNOWN
})

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

export function listPath(list: AnyList): string {
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
