import { keptSwitch } from '../kept.js'

/** On: answers that are being written are read aloud by sentence; else each is read once it is whole. */
export const bySentence = keptSwitch('reads-aloud', false)

/** Ids of messages of which this page has read something aloud while they were written: they are not read again. */
export const readAloud = new Set<string>()
