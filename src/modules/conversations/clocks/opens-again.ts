/** Words before the time at which a schedule opens next, by the language of the conversation. */
const OPENS: Readonly<Record<string, string>> = {
  en: 'Open again: ',
  nl: 'Weer open: ',
  de: 'Wieder geöffnet: ',
  fr: 'Réouverture : ',
}

/** `Open again: Monday 23 November at 09:00 CET`, in the zone of the schedule. English for other languages. */
export function opensAgain(at: Date, timezone: string, language: string | null): string {
  const spoken = language !== null && Object.hasOwn(OPENS, language) ? language : 'en'
  const format = new Intl.DateTimeFormat(spoken === 'en' ? 'en-GB' : spoken, {
    timeZone: timezone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  return `${OPENS[spoken]}${format.format(at)}`
}
