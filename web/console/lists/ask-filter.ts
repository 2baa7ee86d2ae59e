import { signal } from '@preact/signals'

/** True once the filters are asked for, until those of a view have the focus. */
export const isFilterAsked = signal(false)
