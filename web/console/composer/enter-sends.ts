import { keptSwitch } from '../kept.js'

/** On: Enter sends; else it begins a line. Of an email it always begins one. */
export const enterSends = keptSwitch('enter-sends', true)
