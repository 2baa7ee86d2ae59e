import type { Loose } from '../../../shared/i18n/loose.js'

/** Texts of the list of sessions, in English. */
export const en = {
  own: 'Where you are signed in',
  title: 'Sessions',
  none: 'Signed in nowhere',
  since: (time: string) => `since ${time}`,
  seen: (time: string) => `last used ${time}`,
  current: 'this session',
  unknown: 'Unknown device',
  end: 'End',
  endOthers: 'End all others',
  endAll: 'End all',
}

export type SessionWords = Loose<typeof en>
