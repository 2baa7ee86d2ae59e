import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import { GuestOrigins } from './guest-origins.js'
import { WidgetReaches } from './widget-reach.js'
import { readWidgetSettings, type WidgetSettings } from './widget-settings.js'

/** Functions that the web widget needs from the server in addition to a guest's operations. */
export interface Widget {
  guestOrigins: GuestOrigins
  readSettings(service: string, origin: string | null): Promise<WidgetSettings>
}

export function openWidget(options: {
  sql: Sql
  clock: Clock
  idleMinutes: number
  /** True if this server sends mail. */
  isMailSet: boolean
}): Widget {
  const reaches = new WidgetReaches(options)
  return {
    guestOrigins: new GuestOrigins(options.sql),
    readSettings: (id, origin) => readWidgetSettings(options, reaches, { id, origin }),
  }
}
