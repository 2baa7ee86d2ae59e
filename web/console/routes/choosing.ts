import { signal } from '@preact/signals'

/** Id of the service whose templates are looked at, empty for the first that has some; null: none are. */
export const choosing = signal<string | null>(null)
