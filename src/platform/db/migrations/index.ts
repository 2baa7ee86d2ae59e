import { InitialSchema } from './0001-initial-schema.js'

/** In order; a name never changes once released. */
export const migrations = [{ name: '0001-initial-schema', class: InitialSchema }]
