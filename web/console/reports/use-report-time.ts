import { useStore } from '../store/console-store.js'

export interface ReportTime {
  /** The user's, else the browser's. */
  timezone: string
  now(): number
  /** Changes at midnight: spans of whole days are made anew then. */
  day: string
}

/** Returns what the spans of reports are made of. */
export function useReportTime(): ReportTime {
  const store = useStore()
  const timezone = store.organization.me.value?.settings.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return { timezone, now: () => store.session.now(), day: new Date(store.now.value).toDateString() }
}
