import { WallboardDocument, type WallboardSubscription } from '../../generated/wallboard.js'
import type { NamedDocument } from './live.js'

export type WallboardState = WallboardSubscription['wallboard']

/** Each event is the whole state. */
export const WALLBOARD: NamedDocument<WallboardState> = {
  name: 'wallboard',
  query: WallboardDocument,
  apply: (_before, event) => event as unknown as WallboardState,
}
