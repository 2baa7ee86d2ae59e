import { loadBulk, loadDialogs } from './lazy.js'
import { viewMenu } from './lists/views-button.js'

/** The parts that an agent needs next: loaded with this module, so that they are there without a connection too. */
const NEXT: readonly (() => Promise<unknown>)[] = [
  loadDialogs,
  loadBulk,
  () => import('./panel/contact-panel.js'),
  () => import('./composer/send-file.js'),
  () => import('./composer/seen.js'),
]

for (const load of NEXT) void load().catch(() => undefined)
viewMenu.value ||= 'wanted'
